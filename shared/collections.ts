import type { Static, TObject } from 'typebox';
import { AuteurDocument } from './auteurs.ts';
import type { CollectionName } from './collection-names.ts';
import { Emplacement } from './emplacements.ts';
import { Lecture } from './lectures.ts';
import { LivreDocument } from './livres.ts';
import { ModificationDocument } from './modifications.ts';
import { Numero } from './numeros.ts';
import { Objectif } from './objectifs.ts';
import { Partage } from './partages.ts';
import { Pret } from './prets.ts';
import { Revue } from './revues.ts';
import { Selection } from './selections.ts';
import { Serie } from './series.ts';
import { RevueSouhaitee } from './souhaits-revues.ts';
import { Souhait } from './souhaits.ts';
import { StatutDocument } from './statuts.ts';

interface Collection {
  /** The shape of its documents, with an integer `id`. */
  readonly document: TObject;
  /** Whether each user has documents of their own, which nobody else ever receives. */
  readonly personal: boolean | 'some';
  /** Whether an unknown caller receives none of the shared records either. */
  readonly knownOnly?: true;
  /** Whether `GET /api/<collection>/:id` reads a record, whose `Location` a POST returns. */
  readonly hasAddress?: true;
  /** Whether a replica receives them only on request, after everything else (docs/rules.md § 28). */
  readonly onRequest?: true;
}

/** The registry of replicated collections, for the server's journal and every device. */
export const collections = {
  livres: { document: LivreDocument, personal: false, hasAddress: true },
  auteurs: { document: AuteurDocument, personal: false },
  prets: { document: Pret, personal: false },
  series: { document: Serie, personal: false, hasAddress: true },
  emplacements: { document: Emplacement, personal: false, hasAddress: true },
  revues: { document: Revue, personal: false, hasAddress: true },
  numeros: { document: Numero, personal: false, hasAddress: true },
  statuts: { document: StatutDocument, personal: true },
  lectures: { document: Lecture, personal: true, hasAddress: true },
  souhaits: { document: Souhait, personal: true },
  'souhaits-revues': { document: RevueSouhaitee, personal: true },
  partages: { document: Partage, personal: false, knownOnly: true },
  selections: { document: Selection, personal: 'some' },
  objectifs: { document: Objectif, personal: true },
  modifications: { document: ModificationDocument, personal: 'some', onRequest: true },
} as const satisfies Record<CollectionName, Collection>;

export type CollectionDocument<N extends CollectionName> = Static<
  (typeof collections)[N]['document']
>;
