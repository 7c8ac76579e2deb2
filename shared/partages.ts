import { Type, type Static } from 'typebox';
import { couvertureOrNull } from './couvertures.ts';
import { endpoint, notRecorded } from './endpoint.ts';
import { Day, Id, Instant, MAX_LENGTHS, nullable, optionalText, text } from './fields.ts';

/** A reading that goes on, as the house sees it: no stars, no word, no page (docs/rules.md § 59). */
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
 * What a reader shows to the house, by their own word (docs/rules.md § 59): on the devices of all who are known, and
 * only as long as it is shown. `null` is what is not shown.
 */
export const Partage = Type.Object({
  id: Id,
  utilisateur: Type.String(),
  nomComplet: nullable(Type.String()),
  lectures: nullable(Type.Array(LectureMontree)),
  souhaits: nullable(Type.Array(SouhaitMontre)),
});
export type Partage = Static<typeof Partage>;

/** What is left out stays as it is. */
export const PartageSaisi = Type.Object({
  lectures: Type.Boolean(),
  souhaits: Type.Boolean(),
  /** Whether who comes by the link sees what is given already, without names; the list's owner could look, too. */
  donnes: Type.Optional(Type.Boolean()),
  /** A day to come, from which the owner is told who gives what; `null` for never. */
  savoirLe: optionalText(10),
});
export type PartageSaisi = Static<typeof PartageSaisi>;

const PartageChoisi = Type.Object({
  lectures: Type.Boolean(),
  souhaits: Type.Boolean(),
  /** Left out while off, as `savoirLe` without a day. */
  donnes: Type.Optional(Type.Boolean()),
  savoirLe: Type.Optional(Day),
  /** Whether anybody else can come in here, who would see it. */
  autres: Type.Boolean(),
  /** When the link to the wish list was made; `null` where there is none. */
  lien: nullable(Instant),
});

/** What concerns nobody but the caller, and is taken back by the same press: it is no act of the history. */
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

/** Who gives a wish, as whoever asks may know it: themselves, and the names of others. */
export const Offert = Type.Object({ moi: Type.Boolean(), noms: Type.Array(Type.String()) });
export type Offert = Static<typeof Offert>;

/** `offert` is `null` where nobody gives it, and to its owner always. */
const SouhaitOffert = Type.Object({ ...SouhaitMontre.properties, offert: nullable(Offert) });

/** What one reader shows; what they do not show is not there. */
const Montre = Type.Object({
  utilisateur: Type.String(),
  nomComplet: nullable(Type.String()),
  lectures: Type.Optional(Type.Array(LectureMontree)),
  souhaits: Type.Optional(Type.Array(SouhaitOffert)),
  /** The day from which the owner of the wishes is told who gives what; left out for never. */
  savoirLe: Type.Optional(Day),
});
export type Montre = Static<typeof Montre>;

export const lireMaison = endpoint({
  method: 'GET',
  path: '/api/maison',
  summary: 'Ce que chacun montre à la maison : ce qu’il lit, sa liste de souhaits.',
  response: Type.Array(Montre),
});

/** What the caller gives, and whether its wish still says what it said then. */
const MonOffre = Type.Object({
  /** The wish's id. */
  id: Id,
  /** The name of whoever wishes for it. */
  de: Type.String(),
  titre: Type.String(),
  /** `changee` once the wish has another title or author, `partie` once it is off its list. */
  etat: Type.Enum(['tenue', 'changee', 'partie']),
  /** The former title of a changed wish. */
  avant: nullable(Type.String()),
});
export type MonOffre = Static<typeof MonOffre>;

/** Of who gives what nothing stands in the log: the list's owner may read it. */
const ofOffers = { isConfidential: true } as const;

export const listerOffres = endpoint({
  ...ofOffers,
  method: 'GET',
  path: '/api/moi/offres',
  summary: 'Ce que la personne qui appelle a dit offrir, et ce qui a changé depuis.',
  response: Type.Array(MonOffre),
});

/** What others give to the caller, told from the day that the caller has chosen. */
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

/** The page of a wish list for who has no way into the house; behind it stands the secret of its link. */
export const LISTE_PATH = '/liste/';

/** Of a name by which somebody gives something there. */
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
