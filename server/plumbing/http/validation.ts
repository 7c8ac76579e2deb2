import { httpErrors } from '@fastify/sensible';
import { Ajv } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { Refusal } from '#shared/refusals';
import { toChamps } from './fields.ts';

let instance: Ajv | undefined;
const ajv = (): Ajv => (instance ??= new Ajv({ allErrors: true }));

/**
 * Validates each part of a request against its shared schema (docs/rules.md § 3). A body is not
 * coerced; in a query string `12` is a number. A path that does not fit is 404.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const types = httpPart === 'querystring' ? typesOf(schema) : new Map<string, string>();
  return (given: unknown) => {
    const value = types.size > 0 ? readTyped(given, types) : given;
    // At the first request, once for all: compiling every schema at the start takes a quarter of it.
    const validate = ajv().compile(schema);
    if (validate(value)) return { value };
    if (httpPart === 'params') return { error: httpErrors.notFound() };
    return { error: new Refusal('REQUETE_INVALIDE', { champs: toChamps(validate.errors ?? []) }) };
  };
};

/** The JSON types that a schema gives its properties, by their names. */
function typesOf(schema: object): Map<string, string> {
  const { properties = {} }: { properties?: Record<string, { type?: string }> } = schema;
  return new Map(Object.entries(properties).map(([name, { type = '' }]) => [name, type]));
}

/**
 * The texts of a query string, read as what their schema says they are. Ajv's own coercion would
 * take `0x10`, `1e3` and `Infinity` as well, and check no bound of the last.
 */
function readTyped(query: unknown, types: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    entriesOf(query).map(([name, text]) => [name, readText(String(text), types.get(name))]),
  );
}

function readText(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
