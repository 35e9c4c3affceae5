import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Request, Response } from "express";
import { coverContract, type CoveredRequest, OperationPoints, type Point } from "../core/coverage/points.js";
import type { ContractDocument } from "./contract-document.js";
import { findDeclared, parseMediaType } from "./response/media-range.js";
import type { OperationDescriptor } from "./operation.js";
import { responseKey } from "./response/replies.js";
import type { Reply } from "./response/reply.js";
import type { RequestSource } from "./routing/request-source.js";

/** Undeclared things that are written down, at most: callers choose their names. */
const MOST_UNDECLARED = 1_000;

export interface CoverageOptions {
  /** Folder that `tenon coverage` reads. */
  readonly folder: string;
  readonly document: ContractDocument;
  readonly contractUrl: URL;
  readonly operations: readonly OperationDescriptor[];
}

/**
 * Writes down what of a contract requests and answers were examples of, each once and at once: whoever runs the service may end
 * it without notice, as test runners do.
 */
export class CoverageRecorder {
  private readonly file: string;
  private readonly written = new Set<string>();
  private readonly points: ReadonlyMap<OperationDescriptor, OperationPoints>;
  private undeclaredCount = 0;

  constructor({ folder, document, contractUrl, operations }: CoverageOptions) {
    const contract = coverContract(document as unknown as Readonly<Record<string, unknown>>);
    this.points = new Map(
      operations.map((operation) => [operation, new OperationPoints(operation, contract)]),
    );
    mkdirSync(folder, { recursive: true });
    this.file = join(folder, `${process.pid}-${randomUUID()}.jsonl`);
    this.write({ contract: fileURLToPath(contractUrl) });
  }

  /** A request that is valid. */
  request(operation: OperationDescriptor, request: CoveredRequest): void {
    this.points.get(operation)?.findInRequest(request, this.found);
  }

  /** What a handler answers, before it is sent. */
  reply(operation: OperationDescriptor, { status, content }: Reply<string>): void {
    const key = responseKey(operation, status);
    if (content?.kind !== "json" || key === undefined) return;
    const mediaType = findMediaType(operation, key, content.mediaType);
    this.points.get(operation)?.findInBody(content.body, { key, mediaType }, this.found);
  }

  /** An answer that is sent, whoever made it. */
  answered(
    operation: OperationDescriptor,
    source: RequestSource,
    request: Request,
    response: Response,
  ): void {
    const { id } = operation;
    const { statusCode: status } = response;
    const contentType = response.getHeader("content-type");
    const key = responseKey(operation, status);
    const mediaType = key === undefined ? undefined : findMediaType(operation, key, contentType);
    if (key === undefined) {
      this.undeclared(`${id}: status ${status}`);
    } else {
      const headers = response.getHeaderNames();
      this.points.get(operation)?.findInAnswer({ key, mediaType, headers }, this.found);
      if (contentType !== undefined && mediaType === undefined)
        this.undeclared(`${id}: ${status} ${String(contentType)}`);
    }
    if (status === 415)
      this.undeclared(`${id}: request media type ${request.headers["content-type"] ?? "(none)"}`);
    // What stands in brackets is a part of a parameter.
    const names = new Set(operation.parameters.map(({ name }) => name.split("[")[0]));
    if (status === 400)
      for (const name of source.query.keys())
        if (!names.has(name.split("[")[0])) this.undeclared(`${id}: query parameter ${name}`);
  }

  /** Something was asked for, or answered, that the contract does not declare. */
  undeclared(what: string): void {
    if (this.undeclaredCount >= MOST_UNDECLARED || this.written.has(what)) return;
    this.undeclaredCount += 1;
    this.written.add(what);
    this.write({ undeclared: what });
  }

  private readonly found = ({ id }: Point): void => {
    if (this.written.has(id)) return;
    this.written.add(id);
    this.write({ id });
  };

  private write(line: object): void {
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }
}

/** The media type or range of a response that an answer's `Content-Type` falls under. */
function findMediaType(
  operation: OperationDescriptor,
  key: string,
  contentType: unknown,
): string | undefined {
  const parsed = typeof contentType === "string" ? parseMediaType(contentType) : undefined;
  return parsed && findDeclared(operation.responses[key]?.mediaTypes ?? [], parsed);
}

/** Copies values at every depth; files and bytes stay the same. */
export function copyPlain<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyPlain) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Blob || ArrayBuffer.isView(value)) return value;
  const copies = Object.entries(value).map(([key, member]) => [key, copyPlain<unknown>(member)]);
  return Object.fromEntries(copies) as Value;
}
