import { createContext, useContext } from "react";
import type { BareClient } from "tenon/client";
import { createBareClient } from "../../../../generated/v1/client.js";
import { createBareClient as createFilesClient } from "../../../fixtures/streams/generated/client.js";

/** The clients of the services that the app calls. */
export interface Services {
  readonly pets: BareClient;
  readonly files: BareClient;
}

/** A server has other addresses than a browser. */
export interface Addresses {
  /** Base URL of the Pet Store Service. */
  readonly pets: string;
  /** Base URL of the service with files and changes. */
  readonly files: string;
  readonly apiKey: string;
}

export function connect({ pets, files, apiKey }: Addresses): Services {
  return {
    pets: createBareClient({ baseUrl: pets, apiKey }),
    files: createFilesClient({ baseUrl: files, reconnect: { delay: 10 } }),
  };
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === undefined) throw new Error("There are no services: render an App");
  return services;
}
