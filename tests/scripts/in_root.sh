#!/usr/bin/env bash
# in_root.sh ROOT COMMAND...: runs a command in a root folder (small_root.py) with nothing of this system but the kernel, /proc and some
# devices. in_root.sh --possible: whether that may be done here, as root or in a namespace of users.
set -euo pipefail
namespaces=(--mount --pid --fork)
[ "$(id -u)" = 0 ] || namespaces+=(--map-root-user)
if [ "$1" = --possible ]; then
  command -v dpkg-query >/dev/null && unshare "${namespaces[@]}" true 2>/dev/null
  exit
fi
root=$1
shift
for device in null zero urandom; do [ -e "$root/dev/$device" ] || : >"$root/dev/$device"; done
# shellcheck disable=SC2016
exec unshare "${namespaces[@]}" bash -c '
  root=$1; shift
  mount -t proc proc "$root/proc" && for device in null zero urandom; do mount --bind "/dev/$device" "$root/dev/$device" || exit 2; done
  exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"' - "$root" "$@"
