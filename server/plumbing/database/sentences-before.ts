// The sentences of the history that earlier versions stored, which a migration turns into message
// codes. Frozen: independent of today's `shared/history.ts`.

/** `{name}` is a text or, if in `COUNTS`, a number; `(s)` occurs everywhere or nowhere in the sentence. */
type Pattern = readonly [sentence: string, fait: string, fixed?: object];

const COUNTS = new Set(['livres', 'volumes', 'numeros', 'souhaits']);

const NAMED: readonly Pattern[] = (
  [
    ['Livre modifié', 'livreModifie'],
    ['Livre supprimé', 'livreSupprime'],
    ['Livre complété', 'livreComplete'],
    ['Sans emplacement', 'livreSansEmplacement'],
    ['Devenu le nôtre', 'livreDevenuNotre'],
    ['Fiches réunies', 'fichesReunies'],
    ['Ordre noté', 'rayonOrdonne'],
    ['Tomes contenus notés', 'tomesNotes'],
    ['Prêt corrigé', 'pretCorrige'],
    ['Lecture notée', 'lectureNotee'],
    ['Lecture modifiée', 'lectureModifiee'],
    ['Lecture retirée', 'lectureRetiree'],
    ['Couverture changée', 'couvertureChangee'],
    ['Auteur modifié', 'auteurModifie'],
    ['Emplacement ajouté', 'emplacementAjoute'],
    ['Emplacement modifié', 'emplacementModifie'],
    ['Emplacement supprimé', 'emplacementSupprime'],
    ['Emplacement déplacé', 'emplacementDeplace'],
    ['Fermé', 'emplacementFerme'],
    ['Rouvert', 'emplacementRouvert'],
    ['Série ajoutée', 'serieAjoutee'],
    ['Série modifiée', 'serieModifiee'],
    ['Série supprimée', 'serieSupprimee'],
    ['Série rangée', 'serieRangee'],
    ['N’est plus finie', 'serieSansFin'],
    ['Souhait ajouté', 'souhaitAjoute'],
    ['Souhait modifié', 'souhaitModifie'],
    ['Souhait retiré', 'souhaitRetire'],
    ['Revue ajoutée', 'revueAjoutee'],
    ['Revue modifiée', 'revueModifiee'],
    ['Revue supprimée', 'revueSupprimee'],
  ] as const
).map(([head, fait]) => [`${head} : {nom}`, fait]);

const STATUTS = [
  ['Marqué à lire', 0],
  ['Marqué en cours', 1],
  ['Marqué comme lu', 2],
  ['Marqué comme pas commencé', null],
] as const;

const OTHERS: readonly Pattern[] = [
  ...NAMED,
  ...STATUTS.map(([head, statut]): Pattern => [`${head} : {nom}`, 'statutMarque', { statut }]),
  ['Emplacements rangés', 'emplacementsRanges'],
  ['Souhaits rangés', 'souhaitsRanges'],
  ['Revues souhaitées rangées', 'revuesSouhaiteesRangees'],
  ['Fiches mises en ordre au démarrage', 'fichesMisesEnOrdre'],
  ['Livre ajouté : {nom}', 'livreAjoute', { serie: null }],
  ['Livre ajouté : {nom}, dans la série {serie}', 'livreAjoute'],
  ['Placé dans la série {serie} : {nom}', 'livrePlace'],
  ['Retiré de la série {serie} : {nom}', 'livreRetireDeSerie'],
  ['Retiré de la série {serie}', 'livreRetireDeSerie', { nom: '' }],
  ['Rangé dans {emplacement} : {nom}', 'livreRange'],
  ['Emprunté à {preteur} : {nom}', 'livreEmprunte'],
  ['Rendu à {preteur} : {nom}', 'livreRendu'],
  ['Prêté à {emprunteur} : {nom}', 'livrePrete'],
  ['Rendu par {emprunteur} : {nom}', 'livreRentre'],
  ['{livres} livre(s) complété(s)', 'livresCompletes'],
  ['Auteur renommé : {avant} → {apres}', 'auteurRenomme'],
  ['Thème renommé : {avant} → {apres}', 'themeRenomme'],
  ['Détail renommé : {avant} → {apres}', 'detailRenomme'],
  ['Détail {detail} retiré : {livres} livre(s)', 'detailRetire'],
  ['Auteurs réunis : {premier} et {second}', 'auteursReunis'],
  ['Auteurs gardés à part : {premier} et {second}', 'auteursGardesAPart'],
  ['Bibliothèque nommée « {nom} »', 'bibliothequeNommee'],
  ['Déplacé dans {parent} : {nom}', 'emplacementDeplaceDans'],
  ['Placée dans {parent} : {nom}', 'seriePlacee'],
  ['Finie en {volumes} volume(s) : {nom}', 'serieFinie'],
  ['Ajouté : 1 volume qui manque à {nom}', 'volumesManquants', { volumes: 1 }],
  ['Ajoutés : {volumes} volumes qui manquent à {nom}', 'volumesManquants'],
  ['Revue supprimée et son numéro : {nom}', 'revueEtNumerosSupprimes', { numeros: 1 }],
  ['Revue supprimée et ses {numeros} numéros : {nom}', 'revueEtNumerosSupprimes'],
  ...(
    [
      ['Numéro ajouté', 'numeroAjoute'],
      ['Numéro modifié', 'numeroModifie'],
      ['Numéro supprimé', 'numeroSupprime'],
    ] as const
  ).flatMap(([head, fait]): Pattern[] => [
    [`${head} : {revue} n°\u00a0{numero}`, fait],
    [`${head} : {revue} {numero}`, fait],
  ]),
];

/** Changes of many records at once. */
const LOTS: readonly Pattern[] = [
  ['{livres} livre(s) supprimé(s)', 'livresSupprimes'],
  ['{livres} livre(s) prêté(s) à {emprunteur}', 'livresPretes'],
  ['{livres} livre(s) rendu(s)', 'livresRendus'],
  ['{livres} livre(s) placé(s) dans la série {serie}', 'livresPlaces'],
  ['{livres} livre(s) sans emplacement', 'livresSansEmplacement'],
  ['{livres} livre(s) rangé(s) dans {emplacement}', 'livresRanges'],
  ['{livres} livre(s) modifié(s)', 'livresModifies'],
  ['Thème {theme} ajouté : {livres} livre(s)', 'themeAjoute'],
  ['Thème {theme} retiré : {livres} livre(s)', 'themeRetire'],
  ['Détail {detail} noté : {livres} livre(s)', 'detailNote'],
  ['Détail {detail} retiré : {livres} livre(s)', 'detailRetire'],
  ...STATUTS.map(([head, statut]): Pattern => [
    `${head} : {livres} livre(s)`,
    'statutsMarques',
    { statut },
  ]),
  ['{souhaits} souhait(s) retiré(s)', 'souhaitsRetires'],
  ['{souhaits} souhait(s) mis en tête', 'souhaitsEnTete'],
  ['{souhaits} souhait(s) mis à la fin', 'souhaitsEnFin'],
];

const IMPORTED: Readonly<Record<string, string>> = {
  livre: 'livres',
  prêt: 'prets',
  'prêt rendu': 'pretsRendus',
  série: 'series',
  souhait: 'souhaits',
  statut: 'statuts',
  'autre fiche': 'autresFiches',
  'fiche complétée': 'fichesCompletees',
  'fusion refusée': 'fusionsRefusees',
};

const UNDONE_IMPORT: Readonly<Record<string, string>> = {
  'livre retiré': 'retires',
  'livre gardé': 'gardes',
};

/**
 * The arguments of a history entry as JSON, from the sentence of an earlier version; the sentence itself if it is
 * ambiguous.
 *
 * @param operation the entry's operation
 * @param resume its French sentence
 * @param fiches JSON of the touched records; their names part the sentence's list of names
 * @param undone for an undo, the operation that was undone first; null if unknown
 */
export function argumentsOfPhrase(
  operation: unknown,
  resume: unknown,
  fiches: unknown,
  undone: unknown,
): string {
  const phrase = String(resume);
  const message =
    operation === 'annulerModification'
      ? undoingOf(phrase, undone)
      : operation === 'importer'
        ? importOf(phrase)
        : operation === 'annulerImportation'
          ? undoneImportOf(phrase)
          : messageOf(String(operation).startsWith('lot') ? LOTS : OTHERS, phrase, String(fiches));
  return JSON.stringify(message ?? { fait: 'phrase', phrase });
}

function undoingOf(phrase: string, undone: unknown): object | null {
  const [, deed = '', nom, numero, livres, done = '', along, autres] =
    /^(.*?)(?: de « (.*) »| du n°\u00a0(.*)| de ([\d\s]+) livres)? est (annulé|rétabli)e?(, avec (?:une autre action|([\d\s]+) autres actions))?\.$/su.exec(
      phrase,
    ) ?? [];
  const operation = deed === 'L’annulation' ? 'annulerModification' : undone;
  if (deed === '' || typeof operation !== 'string') return null;
  return {
    fait: 'annulation',
    operation,
    ...(nom !== undefined && { nom }),
    ...(numero !== undefined && { numero }),
    ...(livres !== undefined && { livres: numberOf(livres) }),
    autres: autres === undefined ? (along === undefined ? 0 : 1) : numberOf(autres),
    retabli: done === 'rétabli',
  };
}

function importOf(phrase: string): object | null {
  if (phrase === 'Import : noms d’auteurs') return { fait: 'importation' };
  const counts = countsIn(phrase, 'Import : ', IMPORTED);
  return counts && { fait: 'importation', ...counts };
}

function undoneImportOf(phrase: string): object | null {
  const message = { fait: 'importationAnnulee', retires: 0, gardes: 0 };
  if (phrase === 'Import annulé') return message;
  const counts = countsIn(phrase, 'Import annulé : ', UNDONE_IMPORT);
  return counts && { ...message, ...counts };
}

/** Reads « 12 livres, 1 prêt rendu » after the given beginning. */
function countsIn(
  phrase: string,
  head: string,
  names: Readonly<Record<string, string>>,
): Record<string, number> | null {
  if (!phrase.startsWith(head)) return null;
  const counts = phrase
    .slice(head.length)
    .split(', ')
    .map((part) => {
      const [, count = '', words = ''] = /^(\d+(?:\s\d+)*) (\D+)$/u.exec(part) ?? [];
      const name = names[numberOf(count) > 1 ? words.replaceAll(/s(?= |$)/g, '') : words];
      return name === undefined ? null : ([name, numberOf(count)] as const);
    });
  const known = counts.filter((count) => count !== null);
  return known.length === counts.length ? Object.fromEntries(known) : null;
}

const numberOf = (text: string): number => Number(text.replaceAll(/\D/g, ''));

type MessageArguments = Readonly<Record<string, unknown>>;

/** The only reading of a sentence; among several, the one with the most names of touched records. */
function messageOf(
  patterns: readonly Pattern[],
  phrase: string,
  fiches: string,
): MessageArguments | null {
  const ways = patterns.flatMap(([sentence, fait, fixed]) =>
    ['', 's'].flatMap((ending) => {
      if (ending === 's' && !sentence.includes('(s)')) return [];
      const parts = sentence.replaceAll('(s)', ending).split(/\{(\w+)\}/);
      return [...readings(parts, phrase)].map((values): MessageArguments => ({
        fait,
        ...fixed,
        ...values,
      }));
    }),
  );
  if (ways.length <= 1) return ways[0] ?? null;
  const names = new Set(textsIn(JSON.parse(fiches)));
  const known = ({ fait: _, ...values }: MessageArguments) =>
    Object.values(values).filter((value) => names.has(value)).length;
  const most = Math.max(...ways.map(known));
  const [first, second] = ways.filter((way) => known(way) === most);
  return second === undefined ? (first ?? null) : null;
}

function textsIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsIn)
    : [value];
}

/** All ways in which a text is a literal, a value, a literal, and so on. */
function* readings(
  [literal = '', name, ...rest]: readonly string[],
  text: string,
): Generator<Record<string, string | number>> {
  if (!text.startsWith(literal)) return;
  const behind = text.slice(literal.length);
  if (name === undefined) {
    if (behind === '') yield {};
    return;
  }
  const [next = ''] = rest;
  for (let end = next === '' ? behind.length : behind.indexOf(next); end >= 0;) {
    const value = behind.slice(0, end);
    const isCount = COUNTS.has(name);
    if (!isCount || /^\d[\d\s]*$/u.test(value))
      for (const others of readings(rest, behind.slice(end)))
        yield { [name]: isCount ? numberOf(value) : value, ...others };
    end = next === '' ? -1 : behind.indexOf(next, end + 1);
  }
}
