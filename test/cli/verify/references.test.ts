import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@jest/globals";
import { createProject, toContract } from "../load/project.js";
import { loadTested, verifyServer } from "./run.js";

const CONTRACT = toContract(`security: []
paths:
  /loans:
    post:
      operationId: createLoan
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Loan" } } } }
      responses:
        "201": { description: Lent., content: { application/json: { schema: { $ref: "#/components/schemas/Loan" } } } }
        "400": { description: Invalid. }
        "404": { description: There is no such member. }
        "415": { description: Not JSON. }
  /members:
    post:
      operationId: createMember
      responses:
        "201": { description: Added., content: { application/json: { schema: { $ref: "#/components/schemas/Member" } } } }
  /members/{memberId}:
    get:
      operationId: getMember
      parameters: [{ name: memberId, in: path, required: true, schema: { type: string, format: uuid } }]
      responses:
        "200": { description: The member., content: { application/json: { schema: { $ref: "#/components/schemas/Member" } } } }
        "400": { description: Invalid. }
        "404": { description: There is no such member. }
components:
  schemas:
    Loan:
      type: object
      required: [memberId]
      properties: { memberId: { type: string, format: uuid } }
    Member:
      type: object
      required: [id]
      properties: { id: { type: string, format: uuid } }
`);

test("a body refers to a resource that exists by the name of its path parameter", async () => {
  const folder = createProject({ "openapi.yaml": CONTRACT });
  const contract = await loadTested(pathToFileURL(join(folder, "openapi.yaml")));
  const members = new Set<string>();
  const server = createServer((request, response) => {
    const reply = (status: number, body?: object) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(body && JSON.stringify(body));
    const [, collection = "", id] = (request.url ?? "").split("/");
    if (collection === "members" && id === undefined && request.method === "POST") {
      const created = randomUUID();
      members.add(created);
      reply(201, { id: created });
    } else if (collection === "members" && id !== undefined) reply(members.has(id) ? 200 : 404, { id });
    else
      void json(request)
        .then((body) => {
          const { memberId } = body as { readonly memberId: string };
          if (members.has(memberId)) reply(201, { memberId });
          else reply(404);
        })
        .catch(() => reply(400));
  });
  const { operations } = await verifyServer(contract, server, {
    operations: ["createLoan", "createMember", "getMember"],
  });
  const { statuses } = operations.find(({ id }) => id === "createLoan") ?? {};
  expect(Object.keys(statuses ?? {})).toContain("201");
});
