import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Request, Response } from "express";
import { ContractCoverage, type CoveredRequest, type CoverageItem } from "../../core/coverage/index.js";
import { findMediaType, findResponse } from "../../core/http/index.js";
import type { Contract, MediaType, Operation } from "../../core/model/index.js";
import { SentItems } from "../body/sent-items.js";
import type { WrittenItems } from "../response/items.js";
import { Reply, type ReplyContent } from "../response/reply.js";
import type { RequestSource } from "./request-source.js";

/** A limit on undeclared names in a record: callers choose them. */
const MOST_UNDECLARED = 1_000;

export interface CoverageOptions {
  /** Folder that `tenon coverage` reads. */
  readonly folder: string;
  readonly contractUrl: URL;
  readonly contract: Contract;
}

/**
 * Records the items of a contract that requests and responses cover, each once and synchronously: test runners kill the service
 * without notice.
 */
export class CoverageRecorder {
  private readonly file: string;
  private hasFailed = false;
  private readonly written = new Set<string>();
  private readonly coverage: ContractCoverage;
  private undeclaredCount = 0;

  constructor({ folder, contractUrl, contract }: CoverageOptions) {
    this.coverage = new ContractCoverage(contract);
    this.attempt(() => void mkdirSync(folder, { recursive: true }));
    this.file = join(folder, `${process.pid}-${randomUUID()}.jsonl`);
    this.write({ contract: fileURLToPath(contractUrl) });
  }

  /**
   * Keeps a request as it was received, before validation adds defaults.
   * @returns Records it; called when it is valid.
   */
  keep(operation: Operation, request: CoveredRequest): () => void {
    const received = copyPlain(request);
    return () => {
      this.coverage.findInRequest(operation, received, this.found);
    };
  }

  /** Records the items of a request body as they are read. */
  follow(operation: Operation, mediaType: string | undefined, items: SentItems): void {
    items.observe = (item) => {
      const received = copyPlain(item);
      return () => {
        this.coverage.findInItem(operation, { mediaType, item: received }, this.found);
      };
    };
  }

  /**
   * Records a handler's reply before it is sent.
   * @returns the reply to send, which records its items.
   */
  reply(operation: Operation, reply: Reply<string>): Reply<string> {
    const { status, content } = reply;
    if (content?.kind === "items") return this.items(operation, reply, content);
    if (content?.kind !== "json") return reply;
    const mediaType = findDeclaredType(operation, status, content.mediaType);
    if (mediaType?.schema) this.coverage.findInBody(mediaType.schema, content.body, this.found);
    return reply;
  }

  private items(
    operation: Operation,
    { status, headers }: Reply<string>,
    content: ReplyContent,
  ): Reply<string> {
    const written = content.body as WrittenItems;
    const key = findResponse(operation.responses, status)?.status ?? "";
    const mediaType = findDeclaredType(operation, status, content.mediaType)?.name;
    const write: WrittenItems["write"] = (item, index) => {
      const text = written.write(item, index);
      this.coverage.findInResponseItem(operation, { key, mediaType, item }, this.found);
      return text;
    };
    return new Reply(operation.id, status, { ...content, body: { ...written, write } }, headers);
  }

  /** Records a response that was sent, by a handler or by the runtime. */
  response(operation: Operation, source: RequestSource, request: Request, response: Response): void {
    const { id } = operation;
    const { statusCode: status } = response;
    const contentType = response.getHeader("content-type");
    const key = findResponse(operation.responses, status)?.status;
    if (key === undefined) {
      this.undeclared(`${id}: status ${status}`);
    } else {
      const mediaType = findDeclaredType(operation, status, contentType)?.name;
      const headers = response.getHeaderNames();
      this.coverage.findInResponse(operation, { key, mediaType, headers }, this.found);
      if (contentType !== undefined && mediaType === undefined)
        this.undeclared(`${id}: ${status} ${String(contentType)}`);
    }
    if (status === 415)
      this.undeclared(`${id}: request media type ${request.headers["content-type"] ?? "(none)"}`);
    // A name in brackets is a part of a parameter.
    const names = new Set(operation.parameters.map(({ name }) => name.split("[")[0]));
    if (status === 400)
      for (const name of source.query.keys())
        if (!names.has(name.split("[")[0])) this.undeclared(`${id}: query parameter ${name}`);
  }

  /** Records a part of a request or response that the contract does not declare. */
  undeclared(what: string): void {
    if (this.undeclaredCount >= MOST_UNDECLARED || this.written.has(what)) return;
    this.undeclaredCount += 1;
    this.written.add(what);
    this.write({ undeclared: what });
  }

  private readonly found = ({ id }: CoverageItem): void => {
    if (this.written.has(id)) return;
    this.written.add(id);
    this.write({ id });
  };

  private write(line: object): void {
    this.attempt(() => {
      appendFileSync(this.file, `${JSON.stringify(line)}\n`);
    });
  }

  /** Reports the first failure, and records no more: the service has to go on. */
  private attempt(write: () => void): void {
    if (this.hasFailed) return;
    try {
      write();
    } catch (error) {
      this.hasFailed = true;
      process.emitWarning(`Coverage is not recorded: ${(error as Error).message}`);
    }
  }
}

/** The declared media type or range of a response that covers its `Content-Type`. */
function findDeclaredType(operation: Operation, status: number, contentType: unknown): MediaType | undefined {
  const declared = findResponse(operation.responses, status)?.mediaTypes ?? [];
  return typeof contentType === "string" ? findMediaType(declared, contentType) : undefined;
}

/** Copies objects and lists at every depth; files and bytes stay the same. */
function copyPlain<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyPlain) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (
    value instanceof Blob ||
    value instanceof SentItems ||
    value instanceof Readable ||
    ArrayBuffer.isView(value)
  )
    return value;
  const copies = Object.entries(value).map(([key, member]) => [key, copyPlain<unknown>(member)]);
  return Object.fromEntries(copies) as Value;
}
