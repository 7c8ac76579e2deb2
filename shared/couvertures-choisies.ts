import { Type } from 'typebox';
import type { Operation } from './history.ts';
import { AutreCouverture, CouvertureChoisie, MAX_AUTRES, MAX_COVER_BYTES } from './couvertures.ts';
import { endpoint } from './endpoint.ts';
import { Livre } from './livres.ts';
import { Souhait } from './souhaits.ts';

// Covers chosen by a person instead of the address's (docs/rules.md § 43): the same operations for
// books and wishes. An issue only has its address.

interface CoveredKind {
  readonly collection: 'livres' | 'souhaits';
  /** « un livre ». */
  readonly noun: string;
}

const livres: CoveredKind = { collection: 'livres', noun: 'un livre' };
const souhaits: CoveredKind = { collection: 'souhaits', noun: 'un souhait' };

/** The record in a response; devices do without its schema (vite.config.ts). */
const answers = { livres: Type.Unsafe<object>(Livre), souhaits: Type.Unsafe<object>(Souhait) };

const changed = <const O extends Operation>(operation: O) =>
  ({ operation, message: 'couvertureChangee' }) as const;

const sharedBy = ({ collection }: CoveredKind) => ({
  record: { collection },
});

const chosen = (covered: CoveredKind) => ({
  choisir: endpoint({
    ...sharedBy(covered),
    method: 'PUT',
    path: `/api/${covered.collection}/:id/couverture`,
    perMinute: 600,
    modification: changed('choisirCouverture'),
    summary: `Donne à ${covered.noun} l’image du corps comme couverture.`,
    bytes: MAX_COVER_BYTES,
    response: answers[covered.collection],
    also: [413],
  }),
  remettre: endpoint({
    ...sharedBy(covered),
    method: 'DELETE',
    path: `/api/${covered.collection}/:id/couverture`,
    modification: changed('remettreCouverture'),
    summary: `Remet à ${covered.noun} la couverture de son adresse.`,
    response: answers[covered.collection],
  }),
});

const offered = (covered: CoveredKind) => ({
  lister: endpoint({
    method: 'GET',
    path: `/api/${covered.collection}/:id/autres-couvertures`,
    hasSideEffects: true,
    perMinute: 60,
    summary: `Ce que les sources ont comme couvertures pour ${covered.noun} et ses autres éditions.`,
    response: Type.Array(AutreCouverture, { maxItems: MAX_AUTRES }),
    also: [502, 507],
  }),
  choisir: endpoint({
    ...sharedBy(covered),
    method: 'PUT',
    path: `/api/${covered.collection}/:id/autres-couvertures`,
    modification: changed('choisirCouverture'),
    summary: `Donne à ${covered.noun} l’une des couvertures proposées.`,
    body: CouvertureChoisie,
    response: answers[covered.collection],
  }),
});

/** Choosing an own picture, and restoring the address's, by kind of record. */
export const couverturesChoisies = { livres: chosen(livres), souhaits: chosen(souhaits) };

export const autresCouvertures = { livres: offered(livres), souhaits: offered(souhaits) };
