// How long ago a time was runs on, by the time that has passed since the server said it: the clock of a person may be wrong.
/** @type {WeakMap<Element, number>} since when an element of a time has been in the page, in ms of performance.now */
const shown = new WeakMap();

/** @param {number} seconds @returns {string} as the pages say it of less than a day */
function ago(seconds) {
  const size = Math.abs(seconds);
  const [count, unit] = size < 60 ? [size, "second"] : size < 3600 ? [Math.trunc(size / 60), "minute"] : [Math.trunc(size / 3600), "hour"];
  return size === 0 ? "now" : `${count} ${unit}${count === 1 ? "" : "s"} ${seconds < 0 ? "from now" : "ago"}`;
}

setInterval(() => {
  for (const e of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("time[data-ago]"))) {
    const now = performance.now();
    const since = shown.get(e) ?? now;
    shown.set(e, since);
    const seconds = Number(e.dataset.ago) + Math.round((now - since) / 1000);
    if (Math.abs(seconds) < 86_400) e.textContent = ago(seconds);
  }
}, 1000);
