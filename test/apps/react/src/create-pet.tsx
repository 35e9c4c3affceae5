import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { mutationOptions, queryKey } from "tenon/query";
import { createPet, listPets } from "../../../../generated/v1/client.js";
import { createPetBody } from "../../../../generated/v1/schemas.js";
import { useServices } from "./services.js";
import { type Filter, petList } from "./pets.js";

/** Adds a pet. The list has it at once, and loses it again if the service refuses it. */
export function CreatePet({ filter }: { readonly filter: Filter }) {
  const { pets } = useServices();
  const queries = useQueryClient();
  const { queryKey: listKey } = petList(pets, filter);
  const [issues, setIssues] = useState<readonly string[]>([]);
  const create = useMutation({
    ...mutationOptions(pets, createPet),
    onMutate: async ({ body }) => {
      await queries.cancelQueries({ queryKey: listKey });
      const before = queries.getQueryData(listKey);
      const pet = { ...body, id: -Date.now() };
      queries.setQueryData(listKey, (list) => {
        const last = list?.pages.at(-1);
        if (list === undefined || last === undefined) return list;
        return { ...list, pages: [...list.pages.slice(0, -1), { ...last, data: [...last.data, pet] }] };
      });
      return { before };
    },
    onError: (_error, _variables, context) => {
      queries.setQueryData(listKey, context?.before);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey(listPets) }),
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const name = fields.get("name");
    const pet = { name: name === "" ? undefined : name, categoryId: Number(fields.get("category")) };
    const result = createPetBody["~standard"].validate(pet);
    setIssues(result.issues?.map(({ path, message }) => `${path.join(".")} ${message}`) ?? []);
    if (result.issues === undefined) create.mutate({ body: result.value });
  };

  return (
    <form onSubmit={submit} aria-label="New pet" noValidate>
      <label>
        Name <input name="name" />
      </label>
      <label>
        Category <input name="category" defaultValue="1" />
      </label>
      <button>Add</button>
      {issues.map((issue) => (
        <p role="alert" key={issue}>
          {issue}
        </p>
      ))}
      {create.isSuccess && <p role="status">Added number {create.data.id}</p>}
      {createPet.isError(create.error) && <p role="alert">Not added: {create.error.body.message}</p>}
    </form>
  );
}
