import { type Lifecycle, type LifecycleFields, type Placed, readLifecycle } from "tenon/core/document";
import type {
  Contract,
  MediaType,
  Operation,
  OutgoingRequest,
  Parameter,
  RequestBody,
  ResponseHeader,
} from "tenon/core/model";
import type { Schema } from "tenon/core/schema";

/** The declarations of a contract at any depth, used or not, each once. */
export interface Declarations {
  readonly parameters: readonly Parameter[];
  readonly headers: readonly ResponseHeader[];
  readonly schemas: readonly Schema[];
  /** Pointers of the schemas that the service validates requests with; it does not receive those of webhooks and callbacks. */
  readonly requestSchemas: ReadonlySet<string>;
  /** The declarations with a field about their lifecycle. */
  readonly lasting: readonly LastingNode[];
}

/** A declaration that OpenAPI allows to be `deprecated`. */
export interface LastingNode extends Placed {
  /** Its name in messages. A property is a schema. */
  readonly noun: "operation" | "parameter" | "header" | "schema";
  readonly fields: LifecycleFields;
  readonly lifecycle: Lifecycle;
}

export function collectDeclarations(contract: Contract): Declarations {
  const { components, registry } = contract;
  const outgoing = [...contract.webhooks, ...contract.operations.flatMap(({ callbacks }) => callbacks)];
  const operations = [...contract.operations, ...outgoing];
  const ownParameters = [
    ...contract.pathItems.flatMap((pathItem) => pathItem.parameters),
    ...contract.operations.flatMap((operation) => operation.ownParameters),
  ];
  const outgoingParameters = outgoing.flatMap((request) => request.parameters);
  const parameters = once([...components.parameters.values(), ...ownParameters, ...outgoingParameters]);
  const ownBodies = listBodies(contract.operations);
  const outgoingBodies = listBodies(outgoing);
  const bodies = once([...components.requestBodies.values(), ...ownBodies, ...outgoingBodies]);
  const declared = operations.flatMap((operation) => operation.responses);
  const responses = once([...components.responses.values(), ...declared]);
  const requested = bodies.flatMap(({ mediaTypes }) => mediaTypes);
  const receivedBodies = exceptOutgoing(bodies, ownBodies, outgoingBodies);
  const received = receivedBodies.flatMap(({ mediaTypes }) => mediaTypes);
  const sent = responses.flatMap(({ mediaTypes }) => mediaTypes);
  const headers = once([
    ...components.headers.values(),
    ...responses.flatMap((response) => response.headers),
    ...[...requested, ...sent].flatMap(listPartHeaders),
  ]);
  const requestRoots = [
    ...exceptOutgoing(parameters, ownParameters, outgoingParameters).map(({ schema }) => schema),
    ...received.flatMap(({ schema }) => schema ?? []),
    ...received.flatMap(listPartHeaders).map(({ schema }) => schema),
  ];
  const schemas = [
    ...registry.walk([
      ...contract.schemas.map(({ schema }) => schema),
      // Schemas of `content` that is not JSON are not used to validate requests.
      ...parameters.map(({ declared }) => declared.schema),
      ...parameters.map(({ schema }) => schema),
      ...[...requested, ...sent].flatMap(({ schema, items }) => [schema ?? [], items?.schema ?? []].flat()),
      ...headers.map(({ schema }) => schema),
    ]),
  ];
  return {
    parameters,
    headers,
    schemas,
    requestSchemas: new Set(Array.from(registry.walk(requestRoots), ({ pointer }) => pointer)),
    lasting: Object.entries({
      operation: operations,
      parameter: parameters,
      header: headers,
      schema: schemas,
    }).flatMap(([noun, nodes]) =>
      nodes.flatMap(({ pointer, lifecycleFields: fields }): LastingNode[] =>
        fields === undefined
          ? []
          : [{ noun: noun as LastingNode["noun"], pointer, fields, lifecycle: readLifecycle(fields) }],
      ),
    ),
  };
}

function listBodies(requests: readonly (Operation | OutgoingRequest)[]): readonly RequestBody[] {
  return requests.flatMap(({ requestBody }) => requestBody ?? []);
}

/** Removes what only webhooks and callbacks use. A component that nothing uses stays. */
function exceptOutgoing<Item extends Placed>(
  all: readonly Item[],
  own: readonly Item[],
  outgoing: readonly Item[],
): readonly Item[] {
  const received = new Set(own.map(({ pointer }) => pointer));
  const sent = new Set(outgoing.map(({ pointer }) => pointer));
  return all.filter(({ pointer }) => received.has(pointer) || !sent.has(pointer));
}

function listPartHeaders({ encoding }: MediaType): readonly ResponseHeader[] {
  return encoding.flatMap(({ headers }) => headers);
}

/** Removes duplicates, which operations with a shared component have. */
function once<Item extends Placed>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [item.pointer, item])).values()];
}
