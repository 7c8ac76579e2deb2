import { m } from '#messages';
import type { RecordCollection } from './change-reader.ts';
import { nomIn } from './detail-names.ts';
import { isLocale, type Locale } from './locale.ts';
import { formatNumero } from './numero-name.ts';

// Messages of the history (docs/rules.md § 39). An entry stores a code, `fait`, with names, counts
// and values of its time; the sentence is made when it is shown.

/** « Livre modifié : Dune »: messages with one record's name. */
const NAMED = {
  livreModifie: m.told_livre_modifie,
  livreSupprime: m.told_livre_supprime,
  livreComplete: m.told_livre_complete,
  livreSansEmplacement: m.told_livre_sans_emplacement,
  livreDevenuNotre: m.told_livre_devenu_notre,
  fichesReunies: m.told_fiches_reunies,
  rayonOrdonne: m.told_rayon_ordonne,
  tomesNotes: m.told_tomes_notes,
  pretCorrige: m.told_pret_corrige,
  lectureNotee: m.told_lecture_notee,
  lectureModifiee: m.told_lecture_modifiee,
  lectureRetiree: m.told_lecture_retiree,
  couvertureChangee: m.told_couverture_changee,
  auteurModifie: m.told_auteur_modifie,
  emplacementAjoute: m.told_emplacement_ajoute,
  emplacementModifie: m.told_emplacement_modifie,
  emplacementSupprime: m.told_emplacement_supprime,
  emplacementDeplace: m.told_emplacement_deplace,
  emplacementFerme: m.told_emplacement_ferme,
  emplacementRouvert: m.told_emplacement_rouvert,
  serieAjoutee: m.told_serie_ajoutee,
  serieModifiee: m.told_serie_modifiee,
  serieSupprimee: m.told_serie_supprimee,
  serieRangee: m.told_serie_rangee,
  serieSansFin: m.told_serie_sans_fin,
  souhaitAjoute: m.told_souhait_ajoute,
  souhaitModifie: m.told_souhait_modifie,
  souhaitRetire: m.told_souhait_retire,
  selectionAjoutee: m.told_selection_ajoutee,
  selectionModifiee: m.told_selection_modifiee,
  selectionPartagee: m.told_selection_partagee,
  selectionSupprimee: m.told_selection_supprimee,
  listeAjoutee: m.told_liste_ajoutee,
  listeModifiee: m.told_liste_modifiee,
  listePartagee: m.told_liste_partagee,
  listeSupprimee: m.told_liste_supprimee,
  objectifFixe: m.told_objectif_fixe,
  objectifRetire: m.told_objectif_retire,
  revueAjoutee: m.told_revue_ajoutee,
  revueModifiee: m.told_revue_modifiee,
  revueSupprimee: m.told_revue_supprimee,
} as const;

/** Messages without arguments. */
const PLAIN = {
  emplacementsRanges: m.told_emplacements_ranges,
  souhaitsRanges: m.told_souhaits_ranges,
  revuesSouhaiteesRangees: m.told_revues_souhaitees_rangees,
  selectionsRangees: m.told_selections_rangees,
  fichesMisesEnOrdre: m.told_fiches_mises_en_ordre,
} as const;

export type NamedFait = keyof typeof NAMED;
export type PlainFait = keyof typeof PLAIN;

/** The counts of an import above zero. */
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
  /** How many of the chosen books were so already; left out where all have changed. */
  readonly inchanges?: number;
}

interface DetailDeLivres extends OfLivres {
  readonly detail: string;
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

/** The modification that was undone or redone. */
export interface Annulation {
  /** The operation that the entry records. */
  readonly operation: string;
  /** The touched records: one record's name, one issue's number, or the number of books. */
  readonly nom?: string;
  readonly numero?: string;
  readonly livres?: number;
  /** How many obstacles were undone with it. */
  readonly autres: number;
  /** Whether it is in force again. */
  readonly retabli: boolean;
}

/** All other messages, with their arguments. */
interface Arguments {
  /** `serie` is `null` for a book in none. */
  livreAjoute: OfLivre & { readonly serie: string | null };
  livrePlace: OfLivre & { readonly serie: string };
  /** `nom` is '' if the book is deleted. */
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
  livresEnListe: OfLivres & { readonly liste: string };
  livresHorsListe: OfLivres & { readonly liste: string };
  themeAjoute: OfLivres & { readonly theme: string };
  themeRetire: OfLivres & { readonly theme: string };
  detailNote: DetailDeLivres;
  detailRetire: DetailDeLivres;
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
  /** An entry of an earlier version, with its sentence only. */
  phrase: { readonly phrase: string };
}

type OtherFait = keyof Arguments;
type MessageWith<F extends OtherFait> = { [K in F]: { readonly fait: K } & Arguments[K] }[F];
interface NamedMessage {
  readonly fait: NamedFait;
  readonly nom: string;
}
interface PlainMessage {
  readonly fait: PlainFait;
}

/** The message of a history entry. */
export type Message = NamedMessage | PlainMessage | MessageWith<OtherFait>;

/** The reader's language. */
interface Reading {
  readonly locale: Locale;
}

const isAny = (count = 0): boolean => count > 0;

const STATUTS_MARQUES = [m.told_statut_a_lire, m.told_statut_en_cours, m.told_statut_lu] as const;

const statutMarque = (statut: StatutMarque): typeof m.told_statut_lu =>
  (statut !== null && STATUTS_MARQUES[statut]) || m.told_statut_pas_commence;

/** « Rivages n° 12 ». */
const numeroOf = ({ revue, numero }: OfNumero, reading: Reading): { numero: string } => ({
  numero: `${revue} ${formatNumero(numero, reading)}`.trim(),
});

function nomDeDetail(nom: string, reading: Reading): string {
  const locale = m.locale({}, reading);
  return isLocale(locale) ? nomIn(locale, nom) : nom;
}

const withDetailNom = (args: DetailDeLivres, reading: Reading): DetailDeLivres => ({
  ...args,
  detail: nomDeDetail(args.detail, reading),
});

const SENTENCES: {
  readonly [F in OtherFait]: (args: Arguments[F], reading: Reading) => string;
} = {
  livreAjoute: ({ nom, serie }, reading) =>
    serie === null
      ? m.told_livre_ajoute({ nom }, reading)
      : m.told_livre_ajoute_serie({ nom, serie }, reading),
  livrePlace: m.told_livre_place,
  livreRetireDeSerie: ({ nom, serie }, reading) =>
    nom === ''
      ? m.told_retire_de_serie({ serie }, reading)
      : m.told_livre_retire_de_serie({ nom, serie }, reading),
  livreRange: m.told_livre_range,
  livreEmprunte: m.told_livre_emprunte,
  livreRendu: m.told_livre_rendu,
  livrePrete: m.told_livre_prete,
  livreRentre: m.told_livre_rentre,
  statutMarque: ({ nom, statut }, reading) => statutMarque(statut)({ nom }, reading),
  statutsMarques: ({ livres, statut }, reading) =>
    statutMarque(statut)({ nom: m.told_livres({ count: livres }, reading) }, reading),
  livresCompletes: counted(m.told_livres_completes),
  livresModifies: counted(m.told_livres_modifies),
  livresSupprimes: counted(m.told_livres_supprimes),
  livresRendus: counted(m.told_livres_rendus),
  livresSansEmplacement: counted(m.told_livres_sans_emplacement),
  livresRanges: counted(m.told_livres_ranges),
  livresPretes: counted(m.told_livres_pretes),
  livresPlaces: counted(m.told_livres_places),
  livresEnListe: counted(m.told_livres_en_liste),
  livresHorsListe: counted(m.told_livres_hors_liste),
  themeAjoute: counted(m.told_theme_ajoute),
  themeRetire: counted(m.told_theme_retire),
  detailNote: (args, reading) =>
    counted<DetailDeLivres>(m.told_detail_note)(withDetailNom(args, reading), reading),
  detailRetire: (args, reading) =>
    counted<DetailDeLivres>(m.told_detail_retire)(withDetailNom(args, reading), reading),
  auteurRenomme: m.told_auteur_renomme,
  themeRenomme: m.told_theme_renomme,
  detailRenomme: ({ avant, apres }, reading) =>
    m.told_detail_renomme(
      { avant: nomDeDetail(avant, reading), apres: nomDeDetail(apres, reading) },
      reading,
    ),
  auteursReunis: m.told_auteurs_reunis,
  auteursGardesAPart: m.told_auteurs_gardes_a_part,
  bibliothequeNommee: m.told_bibliotheque_nommee,
  emplacementDeplaceDans: m.told_emplacement_deplace_dans,
  seriePlacee: m.told_serie_placee,
  serieFinie: ({ nom, volumes }, reading) =>
    m.told_serie_finie({ nom, volumes, count: volumes }, reading),
  volumesManquants: ({ nom, volumes }, reading) =>
    m.told_volumes_manquants({ nom, volumes, count: volumes }, reading),
  revueEtNumerosSupprimes: ({ nom, numeros }, reading) =>
    m.told_revue_et_numeros_supprimes({ nom, numeros, count: numeros }, reading),
  numeroAjoute: (args, reading) => m.told_numero_ajoute(numeroOf(args, reading), reading),
  numeroModifie: (args, reading) => m.told_numero_modifie(numeroOf(args, reading), reading),
  numeroSupprime: (args, reading) => m.told_numero_supprime(numeroOf(args, reading), reading),
  souhaitsRetires: ({ souhaits }, reading) => m.told_souhaits_retires({ count: souhaits }, reading),
  souhaitsEnTete: ({ souhaits }, reading) => m.told_souhaits_en_tete({ count: souhaits }, reading),
  souhaitsEnFin: ({ souhaits }, reading) => m.told_souhaits_en_fin({ count: souhaits }, reading),
  importation: (counts, reading) => {
    const comptes = IMPORTED.flatMap(([name, message]) => {
      const count = counts[name];
      return isAny(count) && count !== undefined ? [message({ count }, reading)] : [];
    }).join(', ');
    return comptes === ''
      ? m.told_importation_noms({}, reading)
      : m.told_importation({ comptes }, reading);
  },
  importationAnnulee: ({ retires, gardes }, reading) => {
    const comptes = [
      ...(isAny(retires) ? [m.told_comptes_livres_retires({ count: retires }, reading)] : []),
      ...(isAny(gardes) ? [m.told_comptes_livres_gardes({ count: gardes }, reading)] : []),
    ].join(', ');
    return comptes === ''
      ? m.told_importation_annulee({}, reading)
      : m.told_importation_annulee_comptes({ comptes }, reading);
  },
  annulation: (args, reading) => formatAnnulation(args, reading),
  phrase: ({ phrase }) => phrase,
};

/** A message whose count is the number of books, and how many of the chosen ones were so already. */
function counted<T extends OfLivres>(
  message: (inputs: NoInfer<T> & { readonly count: number }, reading: Reading) => string,
): (args: T, reading: Reading) => string {
  return (args, reading) => {
    const sentence = message({ ...args, count: args.livres }, reading);
    const { inchanges: count = 0 } = args;
    return count === 0 ? sentence : m.told_unchanged({ sentence, count }, reading);
  };
}

const IMPORTED = [
  ['livres', m.told_livres],
  ['prets', m.told_comptes_prets],
  ['pretsRendus', m.told_comptes_prets_rendus],
  ['series', m.told_comptes_series],
  ['souhaits', m.told_comptes_souhaits],
  ['statuts', m.told_comptes_statuts],
  ['autresFiches', m.told_comptes_autres_fiches],
  ['fichesCompletees', m.told_comptes_fiches_completees],
  ['fusionsRefusees', m.told_comptes_fusions_refusees],
] as const satisfies readonly (readonly [keyof ImportCounts, unknown])[];

/**
 * The sentence of a history entry, « Prêté à Luc : Dune », in the reader's language. The verb comes first and the
 * name last, since the bar truncates the end. An entry of an earlier version may only have a French sentence.
 */
export function resumeOf(message: Message, locale: Locale): string {
  const reading = { locale };
  if (isByName(message)) return NAMED[message.fait]({ nom: message.nom }, reading);
  if (isAlone(message)) return PLAIN[message.fait]({}, reading);
  // A device may be older than the service.
  return Object.hasOwn(SENTENCES, message.fait)
    ? sentenceOf(message.fait, message, reading)
    : m.told_autre({}, reading);
}

export const isPlainFait = (fait: NamedFait | PlainFait): fait is PlainFait =>
  Object.hasOwn(PLAIN, fait);

const isByName = (args: Message): args is NamedMessage => Object.hasOwn(NAMED, args.fait);
const isAlone = (args: Message): args is PlainMessage => Object.hasOwn(PLAIN, args.fait);

const sentenceOf = <F extends OtherFait>(fait: F, args: Arguments[F], reading: Reading): string =>
  SENTENCES[fait](args, reading);

// Undoings

/** How an undo describes a modification that is undone, in force again, or cannot be undone. */
const DEEDS = {
  ajout: m.told_annule_ajout,
  modification: m.told_annule_modification,
  suppression: m.told_annule_suppression,
  rangement: m.told_annule_rangement,
  pret: m.told_annule_pret,
  retour: m.told_annule_retour,
  correctionPret: m.told_annule_correction_pret,
  statut: m.told_annule_statut,
  emplacement: m.told_annule_emplacement,
  emprunt: m.told_annule_emprunt,
  serie: m.told_annule_serie,
  couverture: m.told_annule_couverture,
  theme: m.told_annule_theme,
  detail: m.told_annule_detail,
  suppressionDetail: m.told_annule_suppression_detail,
  complement: m.told_annule_complement,
  reunion: m.told_annule_reunion,
  reunionFiches: m.told_annule_reunion_fiches,
  separation: m.told_annule_separation,
  souhaits: m.told_annule_souhaits,
  miseEnOrdre: m.told_annule_mise_en_ordre,
  annulation: m.told_annule_annulation,
} as const;

type Deed = keyof typeof DEEDS;

/**
 * How an undo names each operation, with the kind of the named record: 'premier' for the first touched one, `null`
 * without any. Operations with the same effect share a name.
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
  ajouterSelection: ['ajout', 'premier'],
  modifierSelection: ['modification', 'premier'],
  supprimerSelection: ['suppression', 'selections'],
  modifierListe: ['modification', 'premier'],
  ordonnerSelections: ['rangement', null],
  fixerObjectif: ['modification', 'premier'],
  retirerObjectif: ['suppression', 'objectifs'],
  renormaliser: ['miseEnOrdre', null],
  annulerModification: ['annulation', null],
  importer: ['ajout', null],
  annulerImportation: ['annulation', null],
} as const satisfies Readonly<
  Record<string, readonly [Deed, of: RecordCollection | 'premier' | null]>
>;

/** The stored name of an operation in the history. */
export type Operation = keyof typeof OPERATIONS;

const isOperation = (name: string): name is Operation => Object.hasOwn(OPERATIONS, name);

const undoneOf = (operation: string) =>
  isOperation(operation) ? OPERATIONS[operation] : (['modification', 'premier'] as const);

/** The record that an undo names, as in `OPERATIONS`. */
export const namedInUndoing = (operation: string): RecordCollection | 'premier' | null =>
  undoneOf(operation)[1];

/** « L’ajout de « Dune » est annulé, avec 2 autres actions. » */
function formatAnnulation(args: Annulation, reading: Reading): string {
  const { operation, autres, retabli } = args;
  const avec = autres === 0 ? '' : m.told_annule_avec({ count: autres }, reading);
  const name = undoneName(args, reading);
  const values = { etat: retabli ? 'retabli' : 'annule', de: name && ` ${name}`, avec };
  return DEEDS[undoneOf(operation)[0]](values, reading);
}

/** « de « Dune » », « de 12 livres »; '' without a common name. */
function undoneName({ nom, numero, livres }: Annulation, reading: Reading): string {
  if (livres !== undefined)
    return m.told_annule_de_livres({ livres: m.told_livres({ count: livres }, reading) }, reading);
  if (numero !== undefined)
    return m.told_annule_de_numero({ numero: formatNumero(numero, reading) }, reading);
  return nom === undefined ? '' : m.told_annule_de_nom({ nom }, reading);
}

/** « L’ajout ne peut plus être annulé » */
export const refusedSentence = (operation: string, locale: Locale): string =>
  DEEDS[undoneOf(operation)[0]]({ etat: 'impossible', de: '', avec: '' }, { locale });
