// Live updates: the elements with data-live and an id are replaced when they change, unless somebody is busy with them.
const stream = document.body.dataset.live;
/** @type {EventSource | undefined} */
let source;
let refusals = 0;
let retry = 0;
let late = 0;
/** @type {Map<string, Element>} elements that wait until nobody is busy with the ones that they replace */
const fresh = new Map();
/** @type {string[]} what a screen reader has not said yet */
let said = [];

/** @param {Element} e @returns {boolean} whether it holds the focus, the selection, or a field that was changed */
function busy(e) {
  const selection = document.getSelection();
  const selects = selection && !selection.isCollapsed && selection.containsNode(e, true);
  const fields = /** @type {NodeListOf<any>} */ (e.querySelectorAll("input:not([type=hidden]), textarea, select"));
  return e.contains(document.activeElement) || Boolean(selects) || e.querySelector("details[open]") !== null || [...fields].some(f =>
    f.checked !== undefined && f.checked !== f.defaultChecked || f.selectedIndex === undefined && f.value !== f.defaultValue);
}

/** @param {Element} e @returns {string} what it is without the token of its forms and without how long ago a time was */
const plain = e => e.outerHTML.replace(/( title|(?<=name="ticket") value)="[^"]*"/g, "");

function refresh() {
  for (const [id, e] of fresh) {
    const old = document.getElementById(id);
    if (old && busy(old)) continue;
    fresh.delete(id);
    if (!old || plain(old) === plain(e)) continue;
    if (old.textContent !== e.textContent) said.push(e.getAttribute("data-say") ?? "");
    const scrolled = old.querySelector("ul")?.scrollLeft ?? 0;
    old.replaceWith(e);
    e.querySelector("ul")?.scrollTo({left: scrolled});
  }
}

/** @param {number} count rows that the list has and the page has not */
function offer_new(count) {
  const line = document.getElementById("new-rows");
  if (!line) return;
  line.hidden = count === 0;
  if (count === 0) return;
  const link = document.createElement("a");
  link.href = location.href;
  link.textContent = "Show";
  line.replaceChildren(count === 1 ? "1 new article. " : `${count} new articles. `, link);
}

/** @param {boolean} live whether there is a connection; most that break are there again after 3 s, and nobody is told */
function tell(live) {
  const state = document.getElementById("live-state");
  if (!state || !live && late) return;
  clearTimeout(late);
  late = live ? 0 : setTimeout(() => {
    state.hidden = false;
  }, 5000);
  if (live) state.hidden = true;
}

function connect() {
  if (!stream || source || document.hidden || !document.querySelector("[id][data-live]")) return;
  const rows = [...document.querySelectorAll("[data-row][id]")].slice(0, 100).map(r => "&row=" + encodeURIComponent(r.id));
  source = new EventSource(stream + rows.join(""));
  source.onopen = () => {
    refusals = 0;
    tell(true);
  };
  source.onerror = () => {
    tell(false);
    // A refusal ends it for good; a broken connection does not. A proxy refuses while a replica starts again, but not for long.
    if (source?.readyState === EventSource.CLOSED) retry = setTimeout(again, refusals++ < 30 ? 3000 + 1000 * Math.random() : 30_000);
  };
  source.onmessage = event => {
    const change = JSON.parse(event.data);
    for (const part of change.parts) {
      const e = elements(part).firstElementChild;
      if (e) fresh.set(e.id, e);
    }
    offer_new(change.added);
    refresh();
  };
}

function disconnect() {
  clearTimeout(retry);
  source?.close();
  source = undefined;
}

function again() {
  disconnect();
  connect();
}

document.addEventListener("visibilitychange", () => document.hidden ? disconnect() : connect());
addEventListener("pagehide", disconnect);
addEventListener("pageshow", connect);
for (const type of ["focusout", "change", "selectionchange"]) document.addEventListener(type, () => setTimeout(refresh));
setInterval(() => {
  if (said.length > 0) announce(said.length === 1 && said[0] ? said[0] : `${said.length} changes on this page`);
  said = [];
}, 5000);
connect();
