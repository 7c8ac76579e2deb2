import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Instant, nullable } from './fields.ts';

/**
 * A build without an injected timestamp has no number or date (docs/rules.md § 32). `construction` differs between any
 * two builds of the application.
 */
export const Version = Type.Object({
  numero: nullable(Type.String()),
  publiee: Type.Boolean(),
  dateConstruction: nullable(Instant),
  construction: nullable(Type.String()),
});
export type Version = Static<typeof Version>;

export const lireVersion = endpoint({
  method: 'GET',
  path: '/api/version',
  summary: 'La version publiée et sa date de construction.',
  response: Version,
});
