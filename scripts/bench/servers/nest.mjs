// The contract on NestJS with its default platform, Express. Decorators are applied as functions, which is what a
// compiler makes of them.
import "reflect-metadata";
import {
  BadRequestException,
  Catch,
  Controller,
  createParamDecorator,
  Get,
  HttpException,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Post,
  Query,
  Res,
  UnauthorizedException,
  UnsupportedMediaTypeException,
  UseGuards,
  ValidationPipe,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { Type } from "class-transformer";
import { IsDefined, IsIn, IsInt, IsOptional, IsString, Max, Min } from "class-validator";
import { BAD_PET_ID, readPetId } from "./shared/rules.mjs";
import { operation, prepare } from "./shared/express.mjs";
import {
  announce,
  authenticate,
  BAD_CURSOR,
  BODY_LIMIT,
  createPet,
  DEPRECATION,
  FAILED,
  listPets,
  MALFORMED_JSON,
  NO_PATH,
  STATUSES,
  store,
  TOO_LARGE,
  toErrorBody,
  toNotFound,
  toUnauthorized,
  UNSUPPORTED_MEDIA_TYPE,
} from "./shared/service.mjs";

/** What TypeScript emits for decorators of a class, a property or a method, and for its parameters. */
const decorateClass = (target, ...decorators) => Reflect.decorate(decorators, target);
const decorateProperty = ({ prototype }, name, ...decorators) =>
  Reflect.decorate(decorators, prototype, name);
function decorateMethod({ prototype }, name, parameters, ...decorators) {
  parameters.forEach(([, decorate], index) => decorate(prototype, name, index));
  Reflect.defineMetadata(
    "design:paramtypes",
    parameters.map(([type]) => type),
    prototype,
    name,
  );
  Reflect.decorate(decorators, prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
}

class ListQuery {
  limit = 20;
  status;
  cursor;
}
decorateProperty(
  ListQuery,
  "limit",
  Type(() => Number),
  IsInt(),
  Min(1),
  Max(100),
);
decorateProperty(ListQuery, "status", IsOptional(), IsIn(STATUSES));
decorateProperty(ListQuery, "cursor", IsOptional(), IsString());

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- has no member, so that every parameter is unknown
class NoQuery {}

class NewPet {
  name;
  categoryId;
  status;
}
decorateProperty(NewPet, "name", IsDefined(), IsString());
decorateProperty(NewPet, "categoryId", IsDefined(), IsInt());
decorateProperty(NewPet, "status", IsOptional(), IsIn(STATUSES));

const toBadRequest = (code) => (errors) => {
  const told = errors.flatMap(({ constraints }) => Object.values(constraints ?? {})).join("; ");
  return new BadRequestException(toErrorBody(400, code, told));
};
const queryPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: false,
  exceptionFactory: toBadRequest("invalid_parameter"),
});
const bodyPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  // The body comes by a decorator of ours.
  validateCustomDecorators: true,
  exceptionFactory: toBadRequest("invalid_body"),
});
const petIdPipe = {
  transform(text) {
    const id = readPetId(text);
    if (id === undefined) throw new BadRequestException(toErrorBody(400, "invalid_parameter", BAD_PET_ID));
    return id;
  },
};

/** The body of a request whose media type is JSON. */
const JsonBody = createParamDecorator((_, context) => {
  const request = context.switchToHttp().getRequest();
  if (!request.is("application/json")) throw new UnsupportedMediaTypeException(UNSUPPORTED_MEDIA_TYPE);
  return request.body;
});

class ApiKeyGuard {
  async canActivate(context) {
    const http = context.switchToHttp();
    const { authorization } = http.getRequest().headers;
    const principal = await authenticate(authorization);
    if (principal === undefined) {
      const { headers, body } = toUnauthorized(authorization);
      http.getResponse().set(headers);
      throw new UnauthorizedException(body);
    }
    http.getResponse().locals.keyId = principal.id;
    return true;
  }
}
decorateClass(ApiKeyGuard, Injectable());

class PetsController {
  async list(query, response) {
    const page = await listPets(query);
    if (page === undefined) throw new BadRequestException(BAD_CURSOR);
    if (page.link !== undefined) response.set("Link", page.link);
    return page.pets;
  }

  create(pet) {
    return createPet(pet);
  }

  async get(petId) {
    const pet = await store.pets.get(petId);
    if (pet === undefined) throw new NotFoundException(toNotFound(petId));
    return pet;
  }
}
decorateMethod(
  PetsController,
  "list",
  [
    [ListQuery, Query(queryPipe)],
    [Object, Res({ passthrough: true })],
  ],
  Get(),
);
decorateMethod(PetsController, "create", [[NewPet, JsonBody(bodyPipe)]], Post());
decorateMethod(
  PetsController,
  "get",
  [
    [Number, Param("petId", petIdPipe)],
    [NoQuery, Query(queryPipe)],
  ],
  Get(":petId"),
);
decorateClass(PetsController, Controller("v1/pets"), UseGuards(ApiKeyGuard));

class ErrorBodyFilter {
  catch(error, host) {
    const response = host.switchToHttp().getResponse();
    const body = this.#toBody(error);
    response.status(body.status).json(body);
  }

  #toBody(error) {
    if (!(error instanceof HttpException)) return FAILED;
    const body = error.getResponse();
    if (body.code !== undefined) return body;
    switch (error.getStatus()) {
      case 400:
        return MALFORMED_JSON;
      case 404:
        return NO_PATH;
      case 413:
        return TOO_LARGE;
      default:
        return FAILED;
    }
  }
}
decorateClass(ErrorBodyFilter, Catch());

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- what a module is made of is in its decorator
class AppModule {}
decorateClass(AppModule, Module({ controllers: [PetsController] }));

const app = await NestFactory.create(AppModule, { logger: false });
prepare(app.getHttpAdapter().getInstance());
app.useBodyParser("json", { limit: BODY_LIMIT });
app.use("/v1/pets", (request, response, next) => {
  const [id, headers] =
    request.path !== "/" ? ["getPet", DEPRECATION] : [request.method === "POST" ? "createPet" : "listPets"];
  operation(id, headers)(request, response, next);
});
app.useGlobalFilters(new ErrorBodyFilter());
const server = await app.listen(0, "127.0.0.1");
announce(server);
