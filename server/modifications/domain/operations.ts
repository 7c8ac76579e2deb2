import type { Endpoint } from '#shared/endpoint';
import type { Database } from '#server/database/database';
import type { Changes } from './changes.ts';
import { DescribedAct } from './described-act.ts';

/** The operation that an act is, and its sentence. */
interface Description {
  readonly operation: string;
  readonly resume: string;
}

type Sentence = (act: DescribedAct) => string;

const statut: Sentence = (act) => `${act.livre()} : ${act.statut()}`;

const placement: Sentence = (act) =>
  act.field('Place', 'livreId') === null
    ? `Volume retiré de la série ${act.serie()}`
    : `${act.livre()} placé dans la série ${act.serie()}`;

const renamed: Sentence = (act) => {
  const [avant, apres] = act.renamed('Auteur', 'nom');
  return avant === apres ? `Auteur modifié : ${apres}` : `Auteur renommé : ${avant} → ${apres}`;
};

const numero =
  (participle: string): Sentence =>
  (act) =>
    `Numéro ${participle} : ${act.numero()}`;

/** Adding a periodical that exists may only have given it an ISSN. */
const revueAdded: Sentence = (act) => {
  const titre = act.name('Revue', 'titre');
  return act.isNew('Revue') ? `Revue ajoutée : ${titre}` : `Revue modifiée : ${titre}`;
};

const souhait =
  (participle: string): Sentence =>
  (act) =>
    `Souhait ${participle} : ${act.name('Souhait', 'titre')}`;

const wished: Sentence = (act) => act.name('Souhait', 'titre');

const cover =
  (named: Sentence): Sentence =>
  (act) =>
    `Couverture changée : ${named(act)}`;

const revueSouhaitee =
  (participle: string): Sentence =>
  (act) =>
    `Souhait ${participle} : ${act.name('RevueSouhaitee', 'titre')}`;

/**
 * The operations that write, by method and path, with the sentence that describes one. A purchase is
 * described as an addition: only its owner may know that there was a wish.
 */
export const OPERATIONS: Readonly<
  Record<string, readonly [operation: string, sentence: Sentence]>
> = {
  'POST /api/livres': ['ajouterLivre', (act) => `Livre ajouté : ${act.livre()}`],
  'PUT /api/livres/:id': ['modifierLivre', (act) => `Livre modifié : ${act.livre()}`],
  'PUT /api/livres/:id/couverture': ['choisirCouverture', cover((act) => act.livre())],
  'PUT /api/livres/:id/autres-couvertures': ['choisirCouverture', cover((act) => act.livre())],
  'DELETE /api/livres/:id/couverture': ['remettreCouverture', cover((act) => act.livre())],
  'DELETE /api/livres/:id': ['supprimerLivre', (act) => `Livre supprimé : ${act.livre()}`],
  'POST /api/livres/lot': ['lot', (act) => act.lot()],
  'POST /api/complements/acceptation': ['accepterComplements', (act) => act.completed()],
  'PUT /api/livres/:id/statut': ['modifierStatut', statut],
  'POST /api/livres/:id/prets': [
    'preter',
    (act) => `${act.livre()} prêté à ${act.name('Pret', 'emprunteur')}`,
  ],
  'POST /api/prets/:id/retour': [
    'rendre',
    (act) => `${act.livre()} rendu par ${act.name('Pret', 'emprunteur')}`,
  ],
  'PUT /api/auteurs/:id': ['modifierAuteur', renamed],
  'POST /api/auteurs/fusions': [
    'fusionnerAuteurs',
    (act) => `Auteurs réunis : ${act.deleted('Auteur', 'nom')} et ${act.answer('nom')}`,
  ],
  'POST /api/auteurs/refus': [
    'refuserFusion',
    (act) => `Auteurs gardés à part : ${act.refused().join(' et ')}`,
  ],
  'POST /api/series': ['ajouterSerie', (act) => `Série ajoutée : ${act.serie()}`],
  'PUT /api/series/:id': ['modifierSerie', (act) => `Série modifiée : ${act.serie()}`],
  'DELETE /api/series/:id': [
    'supprimerSerie',
    (act) => `Série supprimée : ${act.deleted('Serie', 'titre')}`,
  ],
  'PUT /api/series/:id/ordre': ['ordonnerSerie', (act) => `Série rangée : ${act.serie()}`],
  'PUT /api/places/:id/livre': ['placerLivre', placement],
  'POST /api/places/:id/souhait': ['souhaiterPlace', souhait('ajouté')],
  'POST /api/revues': ['ajouterRevue', revueAdded],
  'PUT /api/revues/:id': [
    'modifierRevue',
    (act) => `Revue modifiée : ${act.name('Revue', 'titre')}`,
  ],
  'DELETE /api/revues/:id': [
    'supprimerRevue',
    (act) => `Revue supprimée : ${act.deleted('Revue', 'titre')}`,
  ],
  'POST /api/revues/:id/numeros': ['ajouterNumero', numero('ajouté')],
  'POST /api/revues/numeros': ['ajouterNumero', numero('ajouté')],
  'PUT /api/numeros/:id': ['modifierNumero', numero('modifié')],
  'PUT /api/numeros/:id/couverture': ['choisirCouverture', cover((act) => act.numero())],
  'DELETE /api/numeros/:id/couverture': ['remettreCouverture', cover((act) => act.numero())],
  'DELETE /api/numeros/:id': ['supprimerNumero', numero('supprimé')],
  'POST /api/souhaits': ['ajouterSouhait', souhait('ajouté')],
  'PUT /api/souhaits/:id': ['modifierSouhait', souhait('modifié')],
  'PUT /api/souhaits/:id/couverture': ['choisirCouverture', cover(wished)],
  'PUT /api/souhaits/:id/autres-couvertures': ['choisirCouverture', cover(wished)],
  'DELETE /api/souhaits/:id/couverture': ['remettreCouverture', cover(wished)],
  'DELETE /api/souhaits/:id': ['supprimerSouhait', souhait('retiré')],
  'PUT /api/souhaits/ordre': ['ordonnerSouhaits', () => 'Liste de souhaits rangée'],
  'POST /api/souhaits/:id/achat': ['ajouterLivre', (act) => `Livre ajouté : ${act.livre()}`],
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
  const act = new DescribedAct(database, changes, answer);
  const [operation, sentence] = known ?? [`${method} ${path}`, () => act.anything()];
  return { operation, resume: sentence(act) };
}
