import { Type, type Static } from 'typebox';
import { couvertureOrNull } from './couvertures.ts';
import { endpoint, notRecorded } from './endpoint.ts';
import { Day, Id, Instant, MAX_LENGTHS, nullable, optionalText, text } from './fields.ts';

/** An open reading as shown to the household, without stars, review and page (docs/rules.md § 59). */
const LectureMontree = Type.Object({
  livreId: nullable(Id),
  titre: text(MAX_LENGTHS.titre),
  /** A day, a month or a year. */
  depuis: Type.String({ maxLength: 10 }),
});
export type LectureMontree = Static<typeof LectureMontree>;

const SouhaitMontre = Type.Object({
  id: Id,
  titre: text(MAX_LENGTHS.titre),
  auteur: nullable(Type.String({ maxLength: MAX_LENGTHS.nom })),
  isbnAffiche: nullable(Type.String({ maxLength: 17 })),
  couverture: couvertureOrNull,
});
export type SouhaitMontre = Static<typeof SouhaitMontre>;

/**
 * A reader's shares with the household (docs/rules.md § 59), on the devices of all known readers as long as they are
 * shared; `null` for a part that is not shared.
 */
export const Partage = Type.Object({
  id: Id,
  utilisateur: Type.String(),
  nomComplet: nullable(Type.String()),
  lectures: nullable(Type.Array(LectureMontree)),
  souhaits: nullable(Type.Array(SouhaitMontre)),
});
export type Partage = Static<typeof Partage>;

/** Fields that are left out are unchanged. */
export const PartageSaisi = Type.Object({
  lectures: Type.Boolean(),
  souhaits: Type.Boolean(),
  /** Whether visitors of the link see which wishes are given, without names; the list's owner could look, too. */
  donnes: Type.Optional(Type.Boolean()),
  /** A future day, from which the owner sees who gives what; `null` for never. */
  savoirLe: optionalText(10),
});
export type PartageSaisi = Static<typeof PartageSaisi>;

const PartageChoisi = Type.Object({
  lectures: Type.Boolean(),
  souhaits: Type.Boolean(),
  /** Left out while off, as `savoirLe` without a day. */
  donnes: Type.Optional(Type.Boolean()),
  savoirLe: Type.Optional(Day),
  /** Whether there is anybody else who would see it. */
  autres: Type.Boolean(),
  /** When the link to the wish list was created; `null` without one. */
  lien: nullable(Instant),
});

/** Concerns the caller only and is reversed by the same button: not recorded in the history. */
const ownWord = { skipsHistory: true } as const;

export const lirePartage = endpoint({
  method: 'GET',
  path: '/api/moi/partage',
  summary: 'Ce que la personne qui appelle montre à la maison.',
  response: PartageChoisi,
});

export const choisirPartage = endpoint({
  ...ownWord,
  method: 'PUT',
  path: '/api/moi/partage',
  summary: 'Montre à la maison ce qu’on lit, ou sa liste de souhaits ; ou les reprend aussitôt.',
  body: PartageSaisi,
  response: PartageChoisi,
});

/** The givers of a wish, for the requesting reader: themselves, and the names of others. */
export const Offert = Type.Object({ moi: Type.Boolean(), noms: Type.Array(Type.String()) });
export type Offert = Static<typeof Offert>;

/** `offert` is `null` without a giver, and always for the wish's owner. */
const SouhaitOffert = Type.Object({ ...SouhaitMontre.properties, offert: nullable(Offert) });

/** The lists shared by one reader; others are left out. */
const Montre = Type.Object({
  utilisateur: Type.String(),
  nomComplet: nullable(Type.String()),
  lectures: Type.Optional(Type.Array(LectureMontree)),
  souhaits: Type.Optional(Type.Array(SouhaitOffert)),
  /** The day from which the owner sees who gives what; left out for never. */
  savoirLe: Type.Optional(Day),
});
export type Montre = Static<typeof Montre>;

export const lireMaison = endpoint({
  method: 'GET',
  path: '/api/maison',
  summary: 'Ce que chacun montre à la maison : ce qu’il lit, sa liste de souhaits.',
  response: Type.Array(Montre),
});

/** An offer of the caller's, and whether its wish is worded as before. */
const MonOffre = Type.Object({
  /** The wish's id. */
  id: Id,
  /** The name of the wish's owner. */
  de: Type.String(),
  titre: Type.String(),
  /** `changee` once the wish has another title or author, `partie` once it is off its list. */
  etat: Type.Enum(['tenue', 'changee', 'partie']),
  /** The former title of a changed wish. */
  avant: nullable(Type.String()),
});
export type MonOffre = Static<typeof MonOffre>;

/** Offers are not logged: the list's owner may read the log. */
const ofOffers = { isConfidential: true } as const;

export const listerOffres = endpoint({
  ...ofOffers,
  method: 'GET',
  path: '/api/moi/offres',
  summary: 'Ce que la personne qui appelle a dit offrir, et ce qui a changé depuis.',
  response: Type.Array(MonOffre),
});

/** Offers for the caller's wishes, shown from the chosen day on. */
const OffreRecue = Type.Object({
  titre: Type.String(),
  noms: Type.Array(Type.String()),
});
export type OffreRecue = Static<typeof OffreRecue>;

export const listerOffresRecues = endpoint({
  ...ofOffers,
  method: 'GET',
  path: '/api/moi/offres-recues',
  summary: 'Qui offre quoi à la personne qui appelle, à partir du jour qu’elle a choisi.',
  response: Type.Array(OffreRecue),
});

export const offrirSouhait = endpoint({
  ...ownWord,
  ...ofOffers,
  method: 'PUT',
  path: '/api/souhaits/:id/offre',
  summary: 'Dit à la maison, mais pas à qui le souhaite, qu’on offre ce livre.',
  response: Offert,
});

export const retirerOffre = endpoint({
  ...ownWord,
  ...ofOffers,
  method: 'DELETE',
  path: '/api/souhaits/:id/offre',
  summary: 'Ne l’offre plus.',
});

/** The address of a wish list for visitors without an account; the link's secret follows. */
export const LISTE_PATH = '/liste/';

/** The longest name of a visitor who gives something. */
export const MAX_NOM_VISITEUR = 60;

export const creerListe = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/moi/liste',
  summary:
    'Fait un lien vers sa liste de souhaits, pour qui n’entre pas ici ; il n’est montré qu’ici, et le précédent ne mène plus à rien.',
  response: Type.Object({ secret: Type.String(), adresse: Type.String() }),
  status: 201,
  perMinute: 10,
});

export const terminerListe = endpoint({
  ...notRecorded,
  method: 'DELETE',
  path: '/api/moi/liste',
  summary: 'Met fin à ce lien.',
});
