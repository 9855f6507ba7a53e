// arguments: a PNG in base64, boxes [left, top, width, height], columns and rows of their cells, and what to call with the result: of each
// box its mean colour [red, green, blue] and the mean grey of each cell, row by row, 0 to 255.
const [png, boxes, columns, rows, done] = arguments;
const image = new Image();
image.onload = () => {
  const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
  done(boxes.map(([left, top, wide, high]) => {
    const cells = Array.from({ length: columns * rows }, () => [0, 0]), sums = [0, 0, 0, 0];
    for (let y = Math.max(top, 0); y < Math.min(top + high, height); ++y) {
      for (let x = Math.max(left, 0); x < Math.min(left + wide, width); ++x) {
        const at = 4 * (y * width + x), cell = cells[Math.floor(((y - top) * rows) / high) * columns + Math.floor(((x - left) * columns) / wide)];
        cell[0] += 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
        cell[1] += 1;
        for (let i = 0; i < 3; ++i) sums[i] += data[at + i];
        sums[3] += 1;
      }
    }
    return [sums.slice(0, 3).map((sum) => Math.round(sum / Math.max(sums[3], 1))), cells.map(([sum, count]) => Math.round(sum / Math.max(count, 1)))];
  }));
};
image.src = "data:image/png;base64," + png;
