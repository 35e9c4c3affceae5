import { expect, test } from "@jest/globals";
import { evaluateTemplate, type Exchange } from "../../../src/tenon/core/http/index.js";

const exchange: Exchange = {
  url: "https://service.example/orders?url=x",
  method: "POST",
  statusCode: 201,
  request: {
    headers: { "x-callback": "https://client.example/header" },
    query: { url: "https://client.example/query", list: ["a"], "a.b": "dotted" },
    path: { id: 7 },
    body: { url: "https://client.example/body", inner: [{ "a/b": true }], "": "empty" },
  },
  response: { headers: { Location: "/orders/7" }, body: "text" },
};

test.each([
  ["{$request.body#/url}", "https://client.example/body"],
  ["{$request.body#/inner/0/a~1b}", "true"],
  ["{$request.query.url}", "https://client.example/query"],
  ["$request.query.url", "https://client.example/query"],
  ["{$request.query.a.b}", "dotted"],
  ["{$request.header.X-Callback}", "https://client.example/header"],
  ["{$request.query.url}/done?id={$request.path.id}", "https://client.example/query/done?id=7"],
  ["https://fixed.example/{$method}/{$statusCode}", "https://fixed.example/POST/201"],
  ["{$url}", "https://service.example/orders?url=x"],
  ["https://service.example{$response.header.location}", "https://service.example/orders/7"],
  ["{$response.body}", "text"],
  ["https://fixed.example/{id}", "https://fixed.example/{id}"],
  ["{$request.body#/other}", undefined],
  ["{$request.body#/constructor}", undefined],
  ["{$request.body}", undefined],
  ["{$request.body#/inner}", undefined],
  ["{$request.query.list}", undefined],
  ["{$request.cookie.id}", undefined],
  ["{$response.body#/id}", undefined],
  ["$other", undefined],
  ["{$request.query.url}{$request.query.none}", undefined],
])("%s is %s", (template, value) => {
  expect(evaluateTemplate(template, exchange)).toBe(value);
});
