// What a timeline does when somebody points, clicks or scrolls. All of it goes by the document, so that sections may come
// and go; without the script a page is complete, but for the controls.
{
  const kCycle = 62; // pixels of a cycle, as in the style
  const kZoomStep = 1.5, kNarrowest = 0.25, kWidest = 160;
  // Pixels of a cycle below which the second line, the first line, and the gaps between boxes go.
  const kTight = 60, kClose = 41, kThin = 7;
  const kEdge = 24; // pixels in front of the cycle to which a frame is scrolled

  const cyclesOf = (frame) => Number(frame.style.getPropertyValue("--cycles"));
  const namesWidth = (frame) => frame.querySelector(".names").getBoundingClientRect().width;
  const cycleWidth = (frame) => parseFloat(frame.style.getPropertyValue("--cycle")) || kCycle;
  const frameOf = (element) => element.closest(".timeline").querySelector(".frame");
  const frames = () => document.querySelectorAll(".timeline .frame");

  // Long boxes have their text in the middle of what is seen of them, if they have room for it.
  function keepLabels(frame) {
    const place = frame.getBoundingClientRect();
    const left = place.left + namesWidth(frame), right = place.left + frame.clientWidth;
    for (const box of frame.querySelectorAll(".box.long")) {
      const at = box.querySelector("rect").getBoundingClientRect();
      const from = Math.max(at.left, left), to = Math.min(at.right, right);
      for (const text of box.querySelectorAll("text")) {
        const width = text.getBBox().width, room = Math.max(0, (at.width - width) / 2 - 4);
        text.classList.toggle("cut", width > at.width);
        const shift = to > from ? (from + to - at.left - at.right) / 2 : 0;
        const kept = Math.max(-room, Math.min(room, shift));
        text.style.transform = kept === 0 ? "" : "translateX(" + kept + "px)";
      }
    }
  }

  // The cycle in the middle stays there.
  function zoom(frame, pixels) {
    const middle = (frame.clientWidth - namesWidth(frame)) / 2;
    const cycle = (frame.scrollLeft + middle) / cycleWidth(frame);
    frame.style.setProperty("--cycle", pixels + "px");
    frame.classList.toggle("tight", kTight > pixels);
    frame.classList.toggle("close", kClose > pixels);
    frame.classList.toggle("thin", kThin > pixels);
    frame.scrollLeft = cycle * pixels - middle;
    keepLabels(frame);
  }

  function fit(frame) {
    const room = frame.clientWidth - namesWidth(frame);
    frame.classList.add("fitted");
    zoom(frame, Math.floor((100 * room) / cyclesOf(frame)) / 100);
  }

  function zoomBy(frame, factor) {
    frame.classList.remove("fitted");
    zoom(frame, Math.min(kWidest, Math.max(kNarrowest, cycleWidth(frame) * factor)));
  }

  function go(frame, where) {
    const cycle = where === "steady" ? Number(frame.dataset.steady) : 0;
    frame.scrollLeft = Math.max(0, cycle * cycleWidth(frame) - kEdge);
    keepLabels(frame);
  }

  // What was chosen last is kept for timelines that replace others.
  const chosen = { fitted: false, cycle: kCycle, dependences: false };
  function choose(frame) {
    chosen.fitted = frame.classList.contains("fitted");
    chosen.cycle = cycleWidth(frame);
    chosen.dependences = frame.classList.contains("dependences");
  }

  function showDependences(frame, shown) {
    frame.classList.toggle("dependences", shown);
    frame.closest(".timeline").querySelector("[data-dependences]").checked = shown;
  }

  // Timelines that are new in the page open on the steady state.
  function open(frame) {
    const timeline = frame.closest(".timeline"), isSteady = "steady" in frame.dataset;
    timeline.classList.add("scripted");
    timeline.classList.toggle("unsteady", !isSteady);
    showDependences(frame, chosen.dependences);
    if (chosen.fitted) fit(frame);
    else zoom(frame, chosen.cycle);
    go(frame, isSteady ? "steady" : "begin");
  }

  function openNew() {
    for (const frame of document.querySelectorAll(".timeline:not(.scripted) .frame")) open(frame);
  }

  let hits = [], shown = [];
  function mark(at) {
    for (const each of hits) each.classList.remove("hit");
    for (const each of shown) each.classList.remove("shown");
    hits = [];
    shown = [];
    if (!at) return;
    if (at.dataset.line !== "0") {
      const section = at.closest("section[data-chip]");
      const chip = section ? 'section[data-chip="' + section.dataset.chip + '"] ' : "";
      hits = [...document.querySelectorAll(chip + '[data-line="' + at.dataset.line + '"]')];
    }
    const event = at.dataset.event;
    if (event !== undefined) {
      const edges = '.edge[data-from="' + event + '"], .edge[data-to="' + event + '"]';
      shown = [...at.closest(".frame").querySelectorAll(edges)];
    }
    for (const each of hits) each.classList.add("hit");
    for (const each of shown) each.classList.add("shown");
  }

  document.addEventListener("mouseover", (event) => mark(event.target.closest("[data-line]")));
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".timeline button");
    if (!button) return;
    const frame = frameOf(button);
    if (button.dataset.go) go(frame, button.dataset.go);
    else if (button.dataset.zoom === "fit") fit(frame);
    else zoomBy(frame, button.dataset.zoom === "in" ? kZoomStep : 1 / kZoomStep);
    choose(frame);
  });
  document.addEventListener("change", (event) => {
    if (!("dependences" in event.target.dataset)) return;
    const frame = frameOf(event.target);
    showDependences(frame, event.target.checked);
    choose(frame);
  });
  document.addEventListener("scroll", (event) => {
    if (event.target.matches?.(".timeline .frame")) keepLabels(event.target);
  }, true); // scrolling does not bubble
  window.addEventListener("resize", () => {
    for (const frame of frames()) frame.classList.contains("fitted") ? fit(frame) : keepLabels(frame);
  });
  document.addEventListener("lanewise:changed", openNew);
  openNew();
}
