import { normaliser } from '#shared/text';
import { NOTICES, type NoticeJouee } from './notices.ts';
import { OEUVRES } from './oeuvres.ts';

/** The played catalogue's answer to a query of SRU 1.2, an envelope around Dublin Core. */
export function repondreSru(parametres: URLSearchParams): string {
  const debut = Number(parametres.get('startRecord') ?? 1);
  const nombre = Number(parametres.get('maximumRecords') ?? 10);
  const trouvees = chercher(parametres.get('query') ?? '');
  const suite = debut + nombre <= trouvees.length ? debut + nombre : null;
  return enveloppe(trouvees.slice(debut - 1, debut - 1 + nombre).map(xmlNotice), {
    nombre: trouvees.length,
    suite,
  });
}

/** An answer of these records, each as XML; `prefixe` is the envelope's, which varies. */
export function enveloppe(
  notices: readonly string[],
  { nombre = notices.length, suite = null as number | null, prefixe = 'srw' } = {},
): string {
  const p = prefixe;
  const records = notices.map(
    (notice, rang) =>
      `<${p}:record><${p}:recordSchema>dc</${p}:recordSchema>` +
      `<${p}:recordPacking>xml</${p}:recordPacking>` +
      `<${p}:recordData>${notice}</${p}:recordData>` +
      `<${p}:recordPosition>${rang + 1}</${p}:recordPosition></${p}:record>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<${p}:searchRetrieveResponse xmlns:${p}="http://www.loc.gov/zing/srw/">` +
    `<${p}:version>1.2</${p}:version><${p}:numberOfRecords>${nombre}</${p}:numberOfRecords>` +
    (records.length > 0 ? `<${p}:records>${records.join('\n')}</${p}:records>` : '') +
    (suite === null ? '' : `<${p}:nextRecordPosition>${suite}</${p}:nextRecordPosition>`) +
    `</${p}:searchRetrieveResponse>`
  );
}

/** A record in Dublin Core. */
export function xmlNotice(notice: NoticeJouee): string {
  const { ark, numeros, titre, createurs, contributeurs, type = 'texte imprimé' } = notice;
  const champ = (nom: string, textes: readonly (string | undefined)[]) =>
    textes.map((t) => (t === undefined ? '' : `<dc:${nom}>${echappe(t)}</dc:${nom}>\n`)).join('');
  return (
    '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"' +
    ' xmlns:dc="http://purl.org/dc/elements/1.1/">\n' +
    champ('identifier', [`http://catalogue.bnf.fr/ark:/12148/${ark}`, ...numeros]) +
    champ('title', [titre]) +
    champ('creator', createurs ?? []) +
    champ('contributor', contributeurs ?? []) +
    champ('publisher', [notice.editeur]) +
    champ('date', [notice.date]) +
    champ('description', [notice.description]) +
    champ('format', [notice.format]) +
    champ('language', ['fre', 'français']) +
    `<dc:type xml:lang="fre">${type}</dc:type>\n<dc:type xml:lang="eng">text</dc:type>\n` +
    '</oai_dc:dc>'
  );
}

/** Accents as numeric entities: half of the real records have them so. */
const echappe = (texte: string): string =>
  texte.replace(/[<>&\u0080-\u00ff]/gu, (signe) => `&#${String(signe.codePointAt(0))};`);

const CRITERE = /bib\.(\w+) (?:all|any) "([^"]*)"/gu;

function chercher(query: string): NoticeJouee[] {
  const criteres = [...query.matchAll(CRITERE)].map(([, index = '', terme = '']) => ({
    index,
    terme,
  }));
  return [...NOTICES, ...OEUVRES].filter((notice) =>
    criteres.every((critere) => repond(notice, critere)),
  );
}

function repond(notice: NoticeJouee, { index, terme }: { index: string; terme: string }): boolean {
  const { titre, numeros, createurs = [], contributeurs = [], description = '' } = notice;
  if (index === 'title') return aTousLesMots(titre, terme);
  if (index === 'author') return aTousLesMots([...createurs, ...contributeurs].join(' '), terme);
  if (index === 'isbn') return [...numeros, description].some((numero) => numero.includes(terme));
  if (index === 'issn') return numeros.includes(`ISSN ${terme.replace('-', '')}`);
  if (index === 'recordtype') return notice.type !== 'publication en série imprimée';
  return index !== 'doctype' || notice.type !== 'document sonore';
}

function aTousLesMots(texte: string, terme: string): boolean {
  const mots = normaliser(texte).split(' ');
  return normaliser(terme)
    .split(' ')
    .every((mot) => mots.includes(mot));
}
