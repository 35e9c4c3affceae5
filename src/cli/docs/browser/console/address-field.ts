import type { Server, ServerVariable } from "tenon/core/model";
import { fillServer, listVariables, toBase } from "../../console/addresses.js";
import { toFirstParagraph } from "../../texts/markdown.js";
import { create, createField, createInput, createSelect, createText } from "../dom.js";

export interface Addresses {
  /** The running service's address, relative to the page's origin or absolute. */
  readonly service: string | undefined;
  /** Origins that the page may call besides its own: `http://localhost:*` is any port. */
  readonly origins: readonly string[];
  /** Address of the last call. */
  base?: string | undefined;
}

/**
 * Creates the choice of the address that is called: this service, one of the contract's servers, or another one.
 * @param onChange Takes the address that the operation's path is below; undefined when the page cannot call it.
 */
export function createAddressField(
  servers: readonly Server[],
  { service, origins, base: remembered }: Addresses,
  onChange: (base: string | undefined) => void,
) {
  const page = location.href;
  const shown = create("p", { class: "hint" });
  const mistake = create("p", { class: "mistake", role: "status" });
  const details = create("div");
  let compute: () => string = () => "";

  const update = () => {
    const base = toBase(compute(), page);
    const isAllowed = base !== undefined && isCallable(base, origins);
    shown.textContent = base === undefined ? "" : `Calls go to ${base}`;
    mistake.textContent = isAllowed ? "" : base === undefined ? NO_ADDRESS : describeOrigins(base, origins);
    onChange(isAllowed ? base : undefined);
  };
  details.addEventListener("input", update);
  const showServer = (server: Server) => () => {
    const inputs = listVariables(server).map(createVariable);
    details.append(...inputs.map(({ element }) => element));
    return () => fillServer(server, Object.fromEntries(inputs.map(({ name, read }) => [name, read()])));
  };
  const own = location.protocol === "file:" ? "http://localhost:3000" : location.origin;
  const showInput = () => {
    const input = createInput("url", own);
    details.append(createField("Address", input));
    return () => input.value;
  };

  // A page on disk has no service beside it.
  const isBeside = service !== undefined && toBase(service, page) !== undefined;
  const known = [
    ...(!isBeside ? [] : [{ label: "This service", usual: service, show: () => () => service }]),
    ...servers.map((server) => ({
      label: toLabel(server),
      usual: fillServer(server),
      show: showServer(server),
    })),
  ];
  const choose = (index: number) => {
    details.replaceChildren();
    compute = (known[index]?.show ?? showInput)();
    update();
  };
  const labels = [...known.map(({ label }) => label), "Another address"];
  const { element: choice, select } = createSelect("Service", labels, choose);
  const earlier = known.findIndex(({ usual }) => toBase(usual, page) === remembered);
  select.selectedIndex = Math.max(0, earlier);
  choose(select.selectedIndex);
  return create("div", { class: "address-field" }, choice, details, shown, mistake);
}

const NO_ADDRESS = "The address is invalid: it must begin with https:// or http://.";

function describeOrigins(base: string, origins: readonly string[]): string {
  const own = location.protocol === "file:" ? [] : [location.origin];
  const all = [...new Set([...own, ...origins])];
  const list = all.length === 0 ? "no address" : all.join(", ");
  return `This page may not call ${new URL(base).origin}, but ${list}. The option "callable" of the docs allows more.`;
}

/** Applies the page's policy. */
function isCallable(base: string, origins: readonly string[]): boolean {
  const { origin, protocol, hostname } = new URL(base);
  return [location.origin, ...origins].some((allowed) =>
    allowed.endsWith(":*") ? allowed === `${protocol}//${hostname}:*` : allowed === origin,
  );
}

function toLabel({ url, description = "" }: Server): string {
  const text = toFirstParagraph(description);
  return text === "" ? url : `${text} (${url})`;
}

function createVariable({ name, default: usual = "", enum: choices, description = "" }: ServerVariable) {
  const control =
    choices.length === 0
      ? createInput("text", usual)
      : create("select", {}, ...choices.map((choice) => create("option", {}, choice)));
  control.value = usual;
  const element = createField(name, control, createText("hint", toFirstParagraph(description)));
  return { name, element, read: () => control.value };
}
