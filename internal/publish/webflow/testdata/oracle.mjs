// Makes every call that Pressroom makes, by Webflow's own client, and prints what came back as JSON.
import { createRequire } from "node:module";

const [folder, base, token, siteId, collectionId] = process.argv.slice(2);
const { WebflowClient } = createRequire(folder + "/")("webflow-api");
const client = new WebflowClient({
  accessToken: token, maxRetries: 0,
  environment: { base, dataApi: base, contentDeliveryApi: base },
});
const items = client.collections.items;

const site = await client.sites.get(siteId);
const collection = await client.collections.get(collectionId);
const listed = await client.collections.list(siteId);
const nothing = await items.publishItem(collectionId, { itemIds: [] });
const before = await items.listItems(collectionId, { slug: "trail-shoes", limit: 2 });
const created = await items.createItem(collectionId, {
  isDraft: false, isArchived: false, fieldData: { name: "Trail shoes", slug: "trail-shoes", "post-body": "<p>x</p>" },
});
const updated = await items.updateItem(collectionId, created.id, {
  isDraft: false, isArchived: false, fieldData: { name: "Trail shoes 2", slug: "trail-shoes", "post-body": "<p>y</p>" },
});
const after = await items.listItems(collectionId, { slug: "trail-shoes", limit: 2 });
const published = await items.publishItem(collectionId, { itemIds: [created.id] });
let failure;
try {
  await items.createItem(collectionId, { fieldData: { name: "Other", slug: "trail-shoes" } });
} catch (err) {
  failure = { status: err.statusCode, code: err.body.code };
}
let missing;
try {
  await items.updateItem(collectionId, "nosuch", { fieldData: { name: "Other" } });
} catch (err) {
  missing = { status: err.statusCode, code: err.body.code };
}
console.log(JSON.stringify({
  domain: site.customDomains[0].url, shortName: site.shortName, collectionSlug: collection.slug, fields: collection.fields.map((f) => f.slug),
  listed: listed.collections.map((c) => c.id === collectionId), nothing: nothing.publishedItemIds,
  before: before.items.length, created: created.fieldData, updated: updated.fieldData, after: after.items.map((i) => i.id === created.id),
  published: published.publishedItemIds.map((id) => id === created.id), failure, missing,
}));
