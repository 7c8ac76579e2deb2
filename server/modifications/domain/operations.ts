import type { Endpoint } from '#shared/endpoint';
import type { Database } from '#server/database/database';
import type { Changes } from './changes.ts';
import { Told } from './told.ts';

/** The operation that an act is, and its sentence. */
interface Description {
  readonly operation: string;
  readonly resume: string;
}

type Sentence = (told: Told) => string;

const statut: Sentence = (told) => `${told.livre()} : ${told.statut()}`;

const placement: Sentence = (told) =>
  told.field('Place', 'livreId') === null
    ? `Volume retiré de la série ${told.serie()}`
    : `${told.livre()} placé dans la série ${told.serie()}`;

const renamed: Sentence = (told) => {
  const [avant, apres] = told.renamed('Auteur', 'nom');
  return avant === apres ? `Auteur modifié : ${apres}` : `Auteur renommé : ${avant} → ${apres}`;
};

const numero =
  (participle: string): Sentence =>
  (told) =>
    `Numéro ${participle} : ${told.numero()}`;

/** A periodical that is there may only have taken an ISSN. */
const revueAdded: Sentence = (told) => {
  const titre = told.name('Revue', 'titre');
  return told.isNew('Revue') ? `Revue ajoutée : ${titre}` : `Revue modifiée : ${titre}`;
};

const souhait =
  (participle: string): Sentence =>
  (told) =>
    `Souhait ${participle} : ${told.name('Souhait', 'titre')}`;

const wished: Sentence = (told) => told.name('Souhait', 'titre');

const cover =
  (named: Sentence): Sentence =>
  (told) =>
    `Couverture changée : ${named(told)}`;

const revueSouhaitee =
  (participle: string): Sentence =>
  (told) =>
    `Souhait ${participle} : ${told.name('RevueSouhaitee', 'titre')}`;

/**
 * The operations that write, by method and path, with the sentence that tells one. A purchase is told
 * as an addition: that there was a wish is its owner's alone.
 */
export const OPERATIONS: Readonly<
  Record<string, readonly [operation: string, sentence: Sentence]>
> = {
  'POST /api/livres': ['ajouterLivre', (told) => `Livre ajouté : ${told.livre()}`],
  'PUT /api/livres/:id': ['modifierLivre', (told) => `Livre modifié : ${told.livre()}`],
  'PUT /api/livres/:id/couverture': ['choisirCouverture', cover((told) => told.livre())],
  'PUT /api/livres/:id/autres-couvertures': ['choisirCouverture', cover((told) => told.livre())],
  'DELETE /api/livres/:id/couverture': ['remettreCouverture', cover((told) => told.livre())],
  'DELETE /api/livres/:id': ['supprimerLivre', (told) => `Livre supprimé : ${told.livre()}`],
  'POST /api/livres/lot': ['lot', (told) => told.lot()],
  'POST /api/complements/acceptation': ['accepterComplements', (told) => told.completed()],
  'PUT /api/livres/:id/statut': ['modifierStatut', statut],
  'POST /api/livres/:id/prets': [
    'preter',
    (told) => `${told.livre()} prêté à ${told.name('Pret', 'emprunteur')}`,
  ],
  'POST /api/prets/:id/retour': [
    'rendre',
    (told) => `${told.livre()} rendu par ${told.name('Pret', 'emprunteur')}`,
  ],
  'PUT /api/auteurs/:id': ['modifierAuteur', renamed],
  'POST /api/auteurs/fusions': [
    'fusionnerAuteurs',
    (told) => `Auteurs réunis : ${told.deleted('Auteur', 'nom')} et ${told.answer('nom')}`,
  ],
  'POST /api/auteurs/refus': [
    'refuserFusion',
    (told) => `Auteurs gardés à part : ${told.refused().join(' et ')}`,
  ],
  'POST /api/series': ['ajouterSerie', (told) => `Série ajoutée : ${told.serie()}`],
  'PUT /api/series/:id': ['modifierSerie', (told) => `Série modifiée : ${told.serie()}`],
  'DELETE /api/series/:id': [
    'supprimerSerie',
    (told) => `Série supprimée : ${told.deleted('Serie', 'titre')}`,
  ],
  'PUT /api/series/:id/ordre': ['ordonnerSerie', (told) => `Série rangée : ${told.serie()}`],
  'PUT /api/places/:id/livre': ['placerLivre', placement],
  'POST /api/places/:id/souhait': ['souhaiterPlace', souhait('ajouté')],
  'POST /api/revues': ['ajouterRevue', revueAdded],
  'PUT /api/revues/:id': [
    'modifierRevue',
    (told) => `Revue modifiée : ${told.name('Revue', 'titre')}`,
  ],
  'DELETE /api/revues/:id': [
    'supprimerRevue',
    (told) => `Revue supprimée : ${told.deleted('Revue', 'titre')}`,
  ],
  'POST /api/revues/:id/numeros': ['ajouterNumero', numero('ajouté')],
  'POST /api/revues/numeros': ['ajouterNumero', numero('ajouté')],
  'PUT /api/numeros/:id': ['modifierNumero', numero('modifié')],
  'PUT /api/numeros/:id/couverture': ['choisirCouverture', cover((told) => told.numero())],
  'DELETE /api/numeros/:id/couverture': ['remettreCouverture', cover((told) => told.numero())],
  'DELETE /api/numeros/:id': ['supprimerNumero', numero('supprimé')],
  'POST /api/souhaits': ['ajouterSouhait', souhait('ajouté')],
  'PUT /api/souhaits/:id': ['modifierSouhait', souhait('modifié')],
  'PUT /api/souhaits/:id/couverture': ['choisirCouverture', cover(wished)],
  'PUT /api/souhaits/:id/autres-couvertures': ['choisirCouverture', cover(wished)],
  'DELETE /api/souhaits/:id/couverture': ['remettreCouverture', cover(wished)],
  'DELETE /api/souhaits/:id': ['supprimerSouhait', souhait('retiré')],
  'PUT /api/souhaits/ordre': ['ordonnerSouhaits', () => 'Liste de souhaits rangée'],
  'POST /api/souhaits/:id/achat': ['ajouterLivre', (told) => `Livre ajouté : ${told.livre()}`],
  'POST /api/souhaits-revues': ['ajouterRevueSouhaitee', revueSouhaitee('ajouté')],
  'PUT /api/souhaits-revues/:id': ['modifierRevueSouhaitee', revueSouhaitee('modifié')],
  'DELETE /api/souhaits-revues/:id': ['supprimerRevueSouhaitee', revueSouhaitee('retiré')],
  'PUT /api/souhaits-revues/ordre': [
    'ordonnerRevuesSouhaitees',
    () => 'Liste de revues souhaitées rangée',
  ],
  'POST /api/souhaits-revues/:id/achat': ['ajouterNumero', numero('ajouté')],
};

/** The operation and the sentence of an act. */
export function describe(
  database: Database,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  changes: Changes,
  answer: unknown,
): Description {
  const known = OPERATIONS[`${method} ${path}`];
  const told = new Told(database, changes, answer);
  const [operation, sentence] = known ?? [`${method} ${path}`, () => told.anything()];
  return { operation, resume: sentence(told) };
}
