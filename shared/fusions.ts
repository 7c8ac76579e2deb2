import { Type } from 'typebox';
import { hasPicture } from './couvertures.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './fields.ts';
import { Livre, LIVRE_TEXTS, type LivreDocument, type LivreText } from './livres.ts';
import { mapObject } from './object-keys.ts';

/** Merging two records of one copy (docs/rules.md § 58). */
export const fusionnerLivres = endpoint({
  method: 'POST',
  path: '/api/livres/fusions',
  record: { collection: 'livres' },
  modification: {
    operation: 'fusionnerLivres',
    message: (changes) => ({
      fait: 'fichesReunies',
      nom: changes.nameOf('livres', changes.answer['id']),
    }),
  },
  summary:
    'Fait une fiche de deux du même exemplaire : celle qui part laisse à l’autre ses prêts, les lectures et les statuts de tous, ses places, ses thèmes, ses détails, et ce que l’autre n’a pas.',
  body: Type.Object({ garde: Id, part: Id }),
  response: Livre,
});

/** The fields of the remaining book: its own values, or the other's if missing. */
export type JoinedFields = Pick<
  LivreDocument,
  | 'isbn'
  | 'typeDocument'
  | LivreText
  | 'annee'
  | 'nombrePages'
  | 'auteurs'
  | 'emplacementId'
  | 'rang'
  | 'coverUrl'
> & {
  /** The record whose picture remains. */
  readonly coverOf: 'garde' | 'part';
};

export function joinedFields(garde: LivreDocument, part: LivreDocument): JoinedFields {
  const isPut = garde.emplacementId !== null;
  const coverOf = coverRank(part) > coverRank(garde) ? 'part' : 'garde';
  return {
    ...mapObject(LIVRE_TEXTS, (name) => garde[name] ?? part[name]),
    isbn: garde.isbn ?? part.isbn,
    typeDocument: garde.typeDocument === 'NonPrecise' ? part.typeDocument : garde.typeDocument,
    annee: garde.annee ?? part.annee,
    // An ebook does not take a printed book's page count.
    nombrePages: garde.nombrePages ?? (garde.format === part.format ? part.nombrePages : null),
    auteurs: garde.auteurs.length > 0 ? garde.auteurs : part.auteurs,
    emplacementId: isPut ? garde.emplacementId : part.emplacementId,
    rang: isPut ? garde.rang : part.rang,
    coverUrl: coverOf === 'part' ? part.coverUrl : garde.coverUrl,
    coverOf,
  };
}

/** A stored picture comes before an address from which one may still be fetched. */
const coverRank = (livre: LivreDocument): number =>
  hasPicture(livre) ? 2 : livre.coverUrl === null ? 0 : 1;
