import { Ajv } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { Refusal } from '#shared/refusals';
import { champsRefuses } from './champs.ts';

/** A body is taken as it is; in a query string, `12` is a number. */
const strict = new Ajv({ allErrors: true });
const coercing = new Ajv({ allErrors: true, coerceTypes: true });

/** Checks each part of a request against its shared schema; an odd path names no record. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const validate = (httpPart === 'querystring' ? coercing : strict).compile(schema);
  return (value: unknown) => {
    if (validate(value)) return { value };
    if (httpPart === 'params') return { error: new Refusal('INTROUVABLE') };
    return {
      error: new Refusal('REQUETE_INVALIDE', { champs: champsRefuses(validate.errors ?? []) }),
    };
  };
};
