/** Everything that can be measured: a file of `servers/`, with what tables call it. In the order of the tables. */
export const SERVERS = {
  tenon: "Pet Store Service (Tenon on Express)",
  "tenon-node": "the same handlers on node:http",
  fastify: "Fastify",
  hono: "Hono + zod-openapi",
  node: "raw node:http",
  express: "bare Express",
  "express-eov": "Express + EOV",
  "openapi-backend": "openapi-backend on Express",
  nest: "NestJS",
} as const;

export type ServerName = keyof typeof SERVERS;

export const SERVER_NAMES = Object.keys(SERVERS) as readonly ServerName[];

/** What the others are measured against. */
export const REFERENCE = "fastify" satisfies ServerName;

/** What is this repository's: nobody to lose to. */
export const OURS: readonly ServerName[] = ["tenon", "tenon-node"];
