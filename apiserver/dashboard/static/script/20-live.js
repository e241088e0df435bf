// Live updates: a stream says when something may have changed. Then the page fetches itself, and its elements with data-live and an id are
// replaced where they have changed, unless somebody is busy with them.
const stream = document.body.dataset.live;
/** @type {EventSource | undefined} */
let source;
let refusals = 0;
let retry = 0;
let late = 0;
/** how often something has changed that the page may not show */
let changes = 0;
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
const plain = e => e.outerHTML.replace(/( title|(?<=name="ticket") value)="[^"]*"| data-ago=[^<]*/g, "");

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
  const link = Object.assign(document.createElement("a"), {href: location.href, textContent: "Show"});
  line.replaceChildren(count === 1 ? "1 new article. " : `${count} new articles. `, link);
}

/** @param {boolean} live whether there is a connection; most that break are there again after 3 s, and nobody is told */
function tell(live) {
  const state = document.getElementById("live-state");
  if (!state || !live && late) return;
  clearTimeout(late);
  late = live ? 0 : setTimeout(() => { state.hidden = false; }, 5000);
  if (live) state.hidden = true;
}

/** @param {DocumentFragment} page the page as it is now */
function show(page) {
  let added = 0;
  for (const e of page.querySelectorAll("[id][data-live]")) {
    if (e.parentElement?.closest("[id][data-live]")) continue;
    // A new row is announced, and not inserted: nothing moves under a pointer.
    if (e.matches("[data-row]") && !document.getElementById(e.id)) added++;
    else fresh.set(e.id, e);
  }
  offer_new(added);
  refresh();
}

async function update() {
  if (changes++) return;
  for (let fetched = 0; source && fetched !== changes;) {
    fetched = changes;
    // A row that is in the list no more stays, with what has become of it.
    const rows = [...document.querySelectorAll("[data-row][id^='a-']")].map(row => row.id.slice(2));
    const asked = source;
    const answer = await fetch(location.href, {headers: {"Pressroom-Update": rows.join(" ")}}).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => "") : "";
    // A page that was hidden meanwhile stays as it was left, and asks again when it is seen.
    if (text && source === asked) show(elements(text));
  }
  changes = 0;
}

function connect() {
  if (!stream || source || document.hidden || !document.querySelector("[id][data-live]")) return;
  source = new EventSource(stream);
  source.onopen = () => {
    refusals = 0;
    tell(true);
  };
  source.onerror = () => {
    tell(false);
    // A refusal ends it for good; a broken connection does not. A proxy refuses while a replica starts again, but not for long.
    if (source?.readyState === EventSource.CLOSED) retry = setTimeout(() => { disconnect(); connect(); }, refusals++ < 30 ? 3000 + 1000 * Math.random() : 30_000);
  };
  source.onmessage = update;
}

function disconnect() {
  clearTimeout(retry);
  source?.close();
  source = undefined;
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
