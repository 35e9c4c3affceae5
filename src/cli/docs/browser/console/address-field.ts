import { fillServer, type ServerChoice, type ServerVariable, toBase } from "../../console/addresses.js";
import { create, createId, createSelect } from "./dom.js";

export interface AddressField {
  readonly element: HTMLElement;
  /** The address that the operation's path is below; undefined, with a message, when the page cannot call it. */
  read(): string | undefined;
}

export interface AddressOptions {
  /** Of this service, relative to the page's origin or absolute. */
  readonly service: string | undefined;
  readonly servers: readonly ServerChoice[];
  /** That the page may call besides its own: `http://localhost:*` is any port. */
  readonly origins: readonly string[];
  /** What was chosen last: an address that is among the choices. */
  readonly remembered: string | undefined;
}

/** Where calls go: this service, one of the contract's servers, or another address. */
export function createAddressField(
  { service, servers, origins, remembered }: AddressOptions,
  onChange: (base: string | undefined) => void,
): AddressField {
  const page = location.href;
  const shown = create("p", { class: "faint" });
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

  const choices = [
    ...(service === undefined ? [] : [{ label: "This service", show: () => () => service }]),
    ...servers.map((server) => ({
      label: server.description === "" ? server.template : `${server.description} (${server.template})`,
      show: () => {
        const inputs = server.variables.map((variable) => createVariable(variable, update));
        details.append(...inputs.map(({ element }) => element));
        return () => fillServer(server, Object.fromEntries(inputs.map(({ name, read }) => [name, read()])));
      },
    })),
    {
      label: "Another address",
      show: () => {
        const input = create("input", {
          type: "url",
          id: createId(),
          autocomplete: "off",
          spellcheck: "false",
        });
        input.value = location.protocol === "file:" ? "http://localhost:3000" : location.origin;
        input.addEventListener("input", update);
        details.append(
          create("div", { class: "field" }, create("label", { for: input.id }, "Address"), input),
        );
        return () => input.value;
      },
    },
  ];
  const choose = (index: number) => {
    details.replaceChildren();
    compute = choices[index]?.show() ?? compute;
    update();
  };
  const choice = createSelect(
    "Service",
    choices.map(({ label }) => label),
    choose,
  );
  const usual = servers.map((server) => toBase(fillServer(server), page));
  const known = usual.indexOf(remembered) + (service === undefined ? 0 : 1);
  choice.select.selectedIndex = remembered === undefined || !usual.includes(remembered) ? 0 : known;
  const element = create(
    "fieldset",
    {},
    create("legend", {}, "Address"),
    choice.element,
    details,
    shown,
    mistake,
  );
  choose(choice.select.selectedIndex);
  return {
    element,
    read: () => {
      const base = toBase(compute(), page);
      return base !== undefined && isCallable(base, origins) ? base : undefined;
    },
  };
}

const NO_ADDRESS = "This is no address that a page can call: it has to begin with https:// or http://.";

function describeOrigins(base: string, origins: readonly string[]): string {
  const own = location.protocol === "file:" ? [] : [location.origin];
  const all = [...new Set([...own, ...origins])];
  const list = all.length === 0 ? "no address" : all.join(", ");
  return `This page may not call ${new URL(base).origin}, but ${list}: whoever made the docs allows more with the option "callable".`;
}

/** As the page's policy says it. */
function isCallable(base: string, origins: readonly string[]): boolean {
  const { origin, protocol, hostname } = new URL(base);
  return [location.origin, ...origins].some((allowed) =>
    allowed.endsWith(":*") ? allowed === `${protocol}//${hostname}:*` : allowed === origin,
  );
}

function createVariable(
  { name, default: usual, choices, description }: ServerVariable,
  onChange: () => void,
) {
  const id = createId();
  const control =
    choices.length === 0
      ? create("input", { type: "text", id, autocomplete: "off", spellcheck: "false" })
      : create("select", { id }, ...choices.map((choice) => create("option", {}, choice)));
  control.value = usual;
  control.addEventListener("input", onChange);
  const hint = description === "" ? undefined : create("p", { class: "faint" }, description);
  const element = create("div", { class: "field" }, create("label", { for: id }, name), control, hint);
  return { name, element, read: () => control.value };
}
