import type { RecordCollection } from './change-reader.ts';
import { formatCount, formatNumero } from './text.ts';

// How the history tells acts (docs/rules.md § 39). What is kept of an act is what happened: `fait` says which sentence
// tells it, and beside it stand the names, counts and values as they were. The sentence is made when it is read.

/** « Livre modifié : Dune »: what was done to one record, by its name. */
const NAMED = {
  livreModifie: 'Livre modifié',
  livreSupprime: 'Livre supprimé',
  livreComplete: 'Livre complété',
  livreSansEmplacement: 'Sans emplacement',
  livreDevenuNotre: 'Devenu le nôtre',
  fichesReunies: 'Fiches réunies',
  rayonOrdonne: 'Ordre noté',
  tomesNotes: 'Tomes contenus notés',
  pretCorrige: 'Prêt corrigé',
  lectureNotee: 'Lecture notée',
  lectureModifiee: 'Lecture modifiée',
  lectureRetiree: 'Lecture retirée',
  couvertureChangee: 'Couverture changée',
  auteurModifie: 'Auteur modifié',
  emplacementAjoute: 'Emplacement ajouté',
  emplacementModifie: 'Emplacement modifié',
  emplacementSupprime: 'Emplacement supprimé',
  emplacementDeplace: 'Emplacement déplacé',
  emplacementFerme: 'Fermé',
  emplacementRouvert: 'Rouvert',
  serieAjoutee: 'Série ajoutée',
  serieModifiee: 'Série modifiée',
  serieSupprimee: 'Série supprimée',
  serieRangee: 'Série rangée',
  serieSansFin: 'N’est plus finie',
  souhaitAjoute: 'Souhait ajouté',
  souhaitModifie: 'Souhait modifié',
  souhaitRetire: 'Souhait retiré',
  revueAjoutee: 'Revue ajoutée',
  revueModifiee: 'Revue modifiée',
  revueSupprimee: 'Revue supprimée',
} as const;

/** What needs no name. */
const PLAIN = {
  emplacementsRanges: 'Emplacements rangés',
  souhaitsRanges: 'Souhaits rangés',
  revuesSouhaiteesRangees: 'Revues souhaitées rangées',
  fichesMisesEnOrdre: 'Fiches mises en ordre au démarrage',
} as const;

export type NamedFait = keyof typeof NAMED;
export type PlainFait = keyof typeof PLAIN;

/** What an import has brought; only what there is any of. */
export interface ImportCounts {
  readonly livres?: number;
  readonly prets?: number;
  readonly pretsRendus?: number;
  readonly series?: number;
  readonly souhaits?: number;
  readonly statuts?: number;
  readonly autresFiches?: number;
  readonly fichesCompletees?: number;
  readonly fusionsRefusees?: number;
}

interface OfLivre {
  readonly nom: string;
}

interface OfLivres {
  readonly livres: number;
}

interface Renaming {
  readonly avant: string;
  readonly apres: string;
}

interface Pair {
  readonly premier: string;
  readonly second: string;
}

interface OfNumero {
  readonly revue: string;
  readonly numero: string;
}

interface OfSouhaits {
  readonly souhaits: number;
}

/** A status as `shared/statuts.ts` numbers them; `null` for a book not started. */
type StatutMarque = number | null;

/** What was undone, or is so no longer. */
export interface Annulation {
  /** The operation of the act that was undone first. */
  readonly operation: string;
  /** Of what it touched: the name of the one record, the number of the one issue, or how many books. */
  readonly nom?: string;
  readonly numero?: string;
  readonly livres?: number;
  /** Acts in its way that were undone with it. */
  readonly autres: number;
  /** Whether the act is in force again. */
  readonly retabli: boolean;
}

/** All other sentences, with what each needs. */
interface Arguments {
  /** `serie` is `null` for a book in none. */
  livreAjoute: OfLivre & { readonly serie: string | null };
  livrePlace: OfLivre & { readonly serie: string };
  /** `nom` is '' where the book is gone. */
  livreRetireDeSerie: OfLivre & { readonly serie: string };
  livreRange: OfLivre & { readonly emplacement: string };
  livreEmprunte: OfLivre & { readonly preteur: string };
  livreRendu: OfLivre & { readonly preteur: string };
  livrePrete: OfLivre & { readonly emprunteur: string };
  livreRentre: OfLivre & { readonly emprunteur: string };
  statutMarque: OfLivre & { readonly statut: StatutMarque };
  statutsMarques: OfLivres & { readonly statut: StatutMarque };
  livresCompletes: OfLivres;
  livresModifies: OfLivres;
  livresSupprimes: OfLivres;
  livresRendus: OfLivres;
  livresSansEmplacement: OfLivres;
  livresRanges: OfLivres & { readonly emplacement: string };
  livresPretes: OfLivres & { readonly emprunteur: string };
  livresPlaces: OfLivres & { readonly serie: string };
  themeAjoute: OfLivres & { readonly theme: string };
  themeRetire: OfLivres & { readonly theme: string };
  detailNote: OfLivres & { readonly detail: string };
  detailRetire: OfLivres & { readonly detail: string };
  auteurRenomme: Renaming;
  themeRenomme: Renaming;
  detailRenomme: Renaming;
  auteursReunis: Pair;
  auteursGardesAPart: Pair;
  bibliothequeNommee: OfLivre;
  emplacementDeplaceDans: OfLivre & { readonly parent: string };
  seriePlacee: OfLivre & { readonly parent: string };
  serieFinie: OfLivre & { readonly volumes: number };
  volumesManquants: OfLivre & { readonly volumes: number };
  revueEtNumerosSupprimes: OfLivre & { readonly numeros: number };
  numeroAjoute: OfNumero;
  numeroModifie: OfNumero;
  numeroSupprime: OfNumero;
  souhaitsRetires: OfSouhaits;
  souhaitsEnTete: OfSouhaits;
  souhaitsEnFin: OfSouhaits;
  importation: ImportCounts;
  importationAnnulee: { readonly retires: number; readonly gardes: number };
  annulation: Annulation;
  /** An act of an earlier version of which nothing but its sentence is known. */
  phrase: { readonly phrase: string };
}

type OtherFait = keyof Arguments;
type ToldBy<F extends OtherFait> = { [K in F]: { readonly fait: K } & Arguments[K] }[F];
interface ToldByName {
  readonly fait: NamedFait;
  readonly nom: string;
}
interface ToldAlone {
  readonly fait: PlainFait;
}

/** What is kept of an act for its sentence. */
export type Told = ToldByName | ToldAlone | ToldBy<OtherFait>;

/** « 2 livres supprimés », « 1 livre supprimé »; without a participle « 2 livres ». */
export function countLivres(count: number, participle = ''): string {
  const [noun, ending] = count > 1 ? ['livres', 's'] : ['livre', ''];
  return `${formatCount(count)} ${noun}${participle && ` ${participle}${ending}`}`;
}

/** « 12 livres, 1 prêt », of what there is any. */
const listCounts = (...counts: readonly (readonly [number | undefined, string])[]): string =>
  counts
    .flatMap(([count = 0, words]) => {
      if (count === 0) return [];
      const counted = count > 1 ? words.replaceAll(/(?= |$)/g, 's') : words;
      return [`${formatCount(count)} ${counted}`];
    })
    .join(', ');

const STATUTS_MARQUES = ['Marqué à lire', 'Marqué en cours', 'Marqué comme lu'] as const;

const statutMarque = (statut: StatutMarque): string =>
  (statut !== null && STATUTS_MARQUES[statut]) || 'Marqué comme pas commencé';

/** « Rivages n° 12 ». */
const numeroTold = ({ revue, numero }: OfNumero): string =>
  `${revue} ${formatNumero(numero)}`.trim();

const countSouhaits = (count: number, one: string, many: string): string =>
  count > 1 ? `${formatCount(count)} souhaits ${many}` : `1 souhait ${one}`;

const SENTENCES: { readonly [F in OtherFait]: (told: Arguments[F]) => string } = {
  livreAjoute: ({ nom, serie }) =>
    serie === null ? `Livre ajouté : ${nom}` : `Livre ajouté : ${nom}, dans la série ${serie}`,
  livrePlace: ({ nom, serie }) => `Placé dans la série ${serie} : ${nom}`,
  livreRetireDeSerie: ({ nom, serie }) => `Retiré de la série ${serie}${nom && ` : ${nom}`}`,
  livreRange: ({ nom, emplacement }) => `Rangé dans ${emplacement} : ${nom}`,
  livreEmprunte: ({ nom, preteur }) => `Emprunté à ${preteur} : ${nom}`,
  livreRendu: ({ nom, preteur }) => `Rendu à ${preteur} : ${nom}`,
  livrePrete: ({ nom, emprunteur }) => `Prêté à ${emprunteur} : ${nom}`,
  livreRentre: ({ nom, emprunteur }) => `Rendu par ${emprunteur} : ${nom}`,
  statutMarque: ({ nom, statut }) => `${statutMarque(statut)} : ${nom}`,
  statutsMarques: ({ livres, statut }) => `${statutMarque(statut)} : ${countLivres(livres)}`,
  livresCompletes: ({ livres }) => countLivres(livres, 'complété'),
  livresModifies: ({ livres }) => countLivres(livres, 'modifié'),
  livresSupprimes: ({ livres }) => countLivres(livres, 'supprimé'),
  livresRendus: ({ livres }) => countLivres(livres, 'rendu'),
  livresSansEmplacement: ({ livres }) => `${countLivres(livres)} sans emplacement`,
  livresRanges: ({ livres, emplacement }) => `${countLivres(livres, 'rangé')} dans ${emplacement}`,
  livresPretes: ({ livres, emprunteur }) => `${countLivres(livres, 'prêté')} à ${emprunteur}`,
  livresPlaces: ({ livres, serie }) => `${countLivres(livres, 'placé')} dans la série ${serie}`,
  themeAjoute: ({ livres, theme }) => `Thème ${theme} ajouté : ${countLivres(livres)}`,
  themeRetire: ({ livres, theme }) => `Thème ${theme} retiré : ${countLivres(livres)}`,
  detailNote: ({ livres, detail }) => `Détail ${detail} noté : ${countLivres(livres)}`,
  detailRetire: ({ livres, detail }) => `Détail ${detail} retiré : ${countLivres(livres)}`,
  auteurRenomme: ({ avant, apres }) => `Auteur renommé : ${avant} → ${apres}`,
  themeRenomme: ({ avant, apres }) => `Thème renommé : ${avant} → ${apres}`,
  detailRenomme: ({ avant, apres }) => `Détail renommé : ${avant} → ${apres}`,
  auteursReunis: ({ premier, second }) => `Auteurs réunis : ${premier} et ${second}`,
  auteursGardesAPart: ({ premier, second }) => `Auteurs gardés à part : ${premier} et ${second}`,
  bibliothequeNommee: ({ nom }) => `Bibliothèque nommée « ${nom} »`,
  emplacementDeplaceDans: ({ nom, parent }) => `Déplacé dans ${parent} : ${nom}`,
  seriePlacee: ({ nom, parent }) => `Placée dans ${parent} : ${nom}`,
  serieFinie: ({ nom, volumes }) =>
    volumes === 1 ? `Finie en 1 volume : ${nom}` : `Finie en ${String(volumes)} volumes : ${nom}`,
  volumesManquants: ({ nom, volumes }) =>
    volumes === 1
      ? `Ajouté : 1 volume qui manque à ${nom}`
      : `Ajoutés : ${String(volumes)} volumes qui manquent à ${nom}`,
  revueEtNumerosSupprimes: ({ nom, numeros }) =>
    numeros > 1
      ? `Revue supprimée et ses ${String(numeros)} numéros : ${nom}`
      : `Revue supprimée et son numéro : ${nom}`,
  numeroAjoute: (told) => `Numéro ajouté : ${numeroTold(told)}`,
  numeroModifie: (told) => `Numéro modifié : ${numeroTold(told)}`,
  numeroSupprime: (told) => `Numéro supprimé : ${numeroTold(told)}`,
  souhaitsRetires: ({ souhaits }) => countSouhaits(souhaits, 'retiré', 'retirés'),
  souhaitsEnTete: ({ souhaits }) => countSouhaits(souhaits, 'mis en tête', 'mis en tête'),
  souhaitsEnFin: ({ souhaits }) => countSouhaits(souhaits, 'mis à la fin', 'mis à la fin'),
  importation: (counts) => {
    const told = listCounts(
      [counts.livres, 'livre'],
      [counts.prets, 'prêt'],
      [counts.pretsRendus, 'prêt rendu'],
      [counts.series, 'série'],
      [counts.souhaits, 'souhait'],
      [counts.statuts, 'statut'],
      [counts.autresFiches, 'autre fiche'],
      [counts.fichesCompletees, 'fiche complétée'],
      [counts.fusionsRefusees, 'fusion refusée'],
    );
    return `Import : ${told || 'noms d’auteurs'}`;
  },
  importationAnnulee: ({ retires, gardes }) => {
    const told = listCounts([retires, 'livre retiré'], [gardes, 'livre gardé']);
    return told === '' ? 'Import annulé' : `Import annulé : ${told}`;
  },
  annulation: (told) => annulationTold(told),
  phrase: ({ phrase }) => phrase,
};

/** The French sentence of an act: « Prêté à Luc : Dune ». The verb is first and the name last, as the bar cuts the end. */
export function resumeOf(told: Told): string {
  if (isByName(told)) return `${NAMED[told.fait]} : ${told.nom}`;
  if (isAlone(told)) return PLAIN[told.fait];
  // A device may be older than the service.
  return Object.hasOwn(SENTENCES, told.fait) ? sentenceOf(told.fait, told) : UNKNOWN;
}

const UNKNOWN = 'Autre modification';

export const isPlainFait = (fait: NamedFait | PlainFait): fait is PlainFait =>
  Object.hasOwn(PLAIN, fait);

const isByName = (told: Told): told is ToldByName => Object.hasOwn(NAMED, told.fait);
const isAlone = (told: Told): told is ToldAlone => Object.hasOwn(PLAIN, told.fait);

const sentenceOf = <F extends OtherFait>(fait: F, told: Arguments[F]): string =>
  SENTENCES[fait](told);

// Undoings

/** What an undoing calls an act, and the ending of what it is then. */
const DEEDS = {
  ajout: ['L’ajout', ''],
  modification: ['La modification', 'e'],
  suppression: ['La suppression', 'e'],
  rangement: ['Le rangement', ''],
  pret: ['Le prêt', ''],
  retour: ['Le retour', ''],
  correctionPret: ['La correction du prêt', 'e'],
  statut: ['Le changement de statut', ''],
  emplacement: ['Le changement d’emplacement', ''],
  emprunt: ['Le changement d’emprunt', ''],
  serie: ['Le changement de série', ''],
  couverture: ['Le changement de couverture', ''],
  theme: ['Le changement de thème', ''],
  detail: ['Le changement de détail', ''],
  suppressionDetail: ['La suppression du détail', 'e'],
  complement: ['Le complément', ''],
  reunion: ['La réunion', 'e'],
  reunionFiches: ['La réunion des fiches', 'e'],
  separation: ['La séparation', 'e'],
  souhaits: ['La modification de la liste de souhaits', 'e'],
  miseEnOrdre: ['La mise en ordre du démarrage', 'e'],
  annulation: ['L’annulation', 'e'],
} as const;

type Deed = keyof typeof DEEDS;

/**
 * What the undoing of an operation calls it, and the kind of the record that it names: 'premier' for the first that was
 * touched, `null` where none is named. The operations are the API's; some do the same, and share one.
 */
const OPERATIONS = {
  ajouterLivre: ['ajout', 'premier'],
  modifierLivre: ['modification', 'premier'],
  supprimerLivre: ['suppression', 'livres'],
  fusionnerLivres: ['reunionFiches', null],
  placerEnSerie: ['serie', 'premier'],
  placerLivre: ['serie', 'premier'],
  rangerLivre: ['emplacement', 'premier'],
  ordonnerLivres: ['rangement', null],
  noterEmprunt: ['emprunt', 'premier'],
  rendreEmprunt: ['retour', 'premier'],
  lot: ['modification', 'premier'],
  accepterComplements: ['complement', 'premier'],
  choisirCouverture: ['couverture', 'premier'],
  remettreCouverture: ['couverture', 'premier'],
  modifierStatut: ['statut', 'premier'],
  preter: ['pret', 'premier'],
  rendre: ['retour', 'premier'],
  modifierPret: ['correctionPret', 'premier'],
  ajouterLecture: ['ajout', 'premier'],
  modifierLecture: ['modification', 'premier'],
  supprimerLecture: ['suppression', 'lectures'],
  modifierAuteur: ['modification', 'premier'],
  fusionnerAuteurs: ['reunion', null],
  refuserFusion: ['separation', null],
  modifierTheme: ['theme', null],
  renommerDetail: ['detail', null],
  supprimerDetail: ['suppressionDetail', null],
  nommerBibliotheque: ['modification', 'premier'],
  ajouterEmplacement: ['ajout', 'premier'],
  modifierEmplacement: ['modification', 'premier'],
  supprimerEmplacement: ['suppression', 'emplacements'],
  ordonnerEmplacements: ['rangement', null],
  ajouterSerie: ['ajout', 'premier'],
  modifierSerie: ['modification', 'premier'],
  supprimerSerie: ['suppression', 'series'],
  ordonnerSerie: ['rangement', 'premier'],
  ajouterRevue: ['ajout', 'premier'],
  modifierRevue: ['modification', 'premier'],
  supprimerRevue: ['suppression', 'revues'],
  ajouterNumero: ['ajout', 'numeros'],
  modifierNumero: ['modification', 'numeros'],
  supprimerNumero: ['suppression', 'numeros'],
  souhaiterPlace: ['ajout', 'premier'],
  ajouterSouhait: ['ajout', 'premier'],
  modifierSouhait: ['modification', 'premier'],
  supprimerSouhait: ['suppression', 'souhaits'],
  ordonnerSouhaits: ['rangement', null],
  ajouterRevueSouhaitee: ['ajout', 'premier'],
  modifierRevueSouhaitee: ['modification', 'premier'],
  supprimerRevueSouhaitee: ['suppression', 'souhaits-revues'],
  ordonnerRevuesSouhaitees: ['rangement', null],
  lotSouhaits: ['souhaits', null],
  renormaliser: ['miseEnOrdre', null],
  annulerModification: ['annulation', null],
  importer: ['ajout', null],
  annulerImportation: ['annulation', null],
} as const satisfies Readonly<
  Record<string, readonly [Deed, of: RecordCollection | 'premier' | null]>
>;

/** The stored name of an operation that is an act. */
export type Operation = keyof typeof OPERATIONS;

const isOperation = (name: string): name is Operation => Object.hasOwn(OPERATIONS, name);

const undoneOf = (operation: string) =>
  isOperation(operation) ? OPERATIONS[operation] : (['modification', 'premier'] as const);

/** Which record the undoing of an operation names, as in `OPERATIONS`. */
export const namedInUndoing = (operation: string): RecordCollection | 'premier' | null =>
  undoneOf(operation)[1];

/** « L’ajout de « Dune » est annulé, avec 2 autres actions. » */
function annulationTold(told: Annulation): string {
  const { operation, autres, retabli } = told;
  const [deed, ending] = DEEDS[undoneOf(operation)[0]];
  const counted = autres > 1 ? `${formatCount(autres)} autres actions` : 'une autre action';
  const along = autres === 0 ? '' : `, avec ${counted}`;
  return `${deed}${undoneName(told)} est ${retabli ? 'rétabli' : 'annulé'}${ending}${along}.`;
}

/** « de « Dune » », « de 12 livres »; '' where the records have no one name. */
function undoneName({ nom, numero, livres }: Annulation): string {
  if (livres !== undefined) return ` de ${countLivres(livres)}`;
  if (numero !== undefined) return ` du ${formatNumero(numero)}`;
  return nom === undefined ? '' : ` de « ${nom} »`;
}

/** « L’ajout ne peut plus être annulé » */
export function refusedSentence(operation: string): string {
  const [deed, ending] = DEEDS[undoneOf(operation)[0]];
  return `${deed} ne peut plus être annulé${ending}`;
}
