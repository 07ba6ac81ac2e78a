// A field that may be left out. Clients write null for "not set", so null means absent too.

import type { TUnion } from "typebox";
import { type TNull, type TOptional, type TSchema, type TSchemaOptions, Type } from "typebox";

export const optionalField = <S extends TSchema>(
  schema: S,
  options: TSchemaOptions = {},
): TOptional<TUnion<[S, TNull]>> => Type.Optional(Type.Union([schema, Type.Null()], options));
