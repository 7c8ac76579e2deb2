import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Count, Instant } from './fields.ts';

const MAX_RESTORE_BYTES = 4 * 1024 * 1024 * 1024;

/** docs/rules.md § 42 */
export const Sauvegardes = Type.Object({
  chaqueNuit: Type.Boolean(),
  nombre: Count,
  /** The newest backup's time and size. */
  derniere: Type.Unsafe<{ date: string; octets: number } | null>({
    type: ['object', 'null'],
    properties: { date: Instant, octets: Count },
    required: ['date', 'octets'],
  }),
  /** The backup with at least twice the books, because of which no nightly one is removed until a person agrees. */
  retenues: Type.Unsafe<{ date: string; livres: number } | null>({
    type: ['object', 'null'],
    properties: { date: Instant, livres: Count },
    required: ['date', 'livres'],
  }),
  /** When the last nightly backup failed; `null` after a success. */
  echec: Type.Unsafe<string | null>({ ...Instant, type: ['string', 'null'] }),
});
export type Sauvegardes = Static<typeof Sauvegardes>;

export const Restauration = Type.Object({
  /** `sauvegarde` replaces the whole database, `export` is imported. */
  nature: Type.Enum(['sauvegarde', 'export'], { type: 'string' }),
  date: Type.String(),
  livres: Count,
  /** For a backup with accounts: who can sign in, and the owners of valid keys. */
  membres: Type.Optional(Type.Array(Type.String())),
  cles: Type.Optional(Type.Array(Type.String())),
});
export type Restauration = Static<typeof Restauration>;

export const lireSauvegardes = endpoint({
  method: 'GET',
  path: '/api/sauvegardes',
  summary: 'Où en sont les sauvegardes : leur nombre, la dernière et sa taille.',
  response: Sauvegardes,
});

export const restaurer = endpoint({
  method: 'POST',
  path: '/api/restauration',
  perMinute: 30,
  summary:
    'Remet en place une sauvegarde, ou importe un export, dans une bibliothèque vide. Le corps est le fichier ; le service redémarre ensuite.',
  bytes: MAX_RESTORE_BYTES,
  streamed: true,
  skipsHistory: true,
  response: Restauration,
  also: [413],
});
