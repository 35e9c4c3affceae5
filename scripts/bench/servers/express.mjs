// The contract on Express, written by hand.
import express from "express";
import { BAD_PET_ID, findBodyProblems, readListQuery, readPetId } from "./shared/rules.mjs";
import { answerError, authenticated, operation, prepare } from "./shared/express.mjs";
import {
  announce,
  BAD_CURSOR,
  BODY_LIMIT,
  createPet,
  DEPRECATION,
  listPets,
  NO_PATH,
  store,
  toErrorBody,
  toNotFound,
  UNSUPPORTED_MEDIA_TYPE,
} from "./shared/service.mjs";

const app = prepare(express());
const v1 = express.Router();

v1.get("/pets", operation("listPets"), authenticated, async (request, response) => {
  const { problems, value } = readListQuery(request.query);
  if (problems.length > 0)
    return response.status(400).json(toErrorBody(400, "invalid_parameter", problems.join("; ")));
  const page = await listPets(value);
  if (page === undefined) return response.status(400).json(BAD_CURSOR);
  if (page.link !== undefined) response.set("Link", page.link);
  response.json(page.pets);
});

v1.post(
  "/pets",
  operation("createPet"),
  authenticated,
  express.json({ limit: BODY_LIMIT, strict: false }),
  async (request, response) => {
    if (!request.is("application/json")) return response.status(415).json(UNSUPPORTED_MEDIA_TYPE);
    const problems = findBodyProblems(request.body);
    if (problems.length > 0)
      return response.status(400).json(toErrorBody(400, "invalid_body", problems.join("; ")));
    response.status(201).json(await createPet(request.body));
  },
);

v1.get("/pets/:petId", operation("getPet", DEPRECATION), authenticated, async (request, response) => {
  const id = readPetId(request.params.petId);
  const [unknown] = Object.keys(request.query);
  const problem = unknown === undefined ? BAD_PET_ID : `Query parameter "${unknown}" is unknown`;
  if (id === undefined || unknown !== undefined)
    return response.status(400).json(toErrorBody(400, "invalid_parameter", problem));
  const pet = await store.pets.get(id);
  if (pet === undefined) return response.status(404).json(toNotFound(id));
  response.json(pet);
});

app.use("/v1", v1);
app.use((_, response) => response.status(404).json(NO_PATH));
app.use(answerError);
const server = app.listen(0, "127.0.0.1", () => announce(server));
