import { archiveOf, filesOf, zipOf } from '../export/archive.ts';

// Generates files of each format from any records.

/** An element of MARCXML. */
const FIELD = 'datafield';

export type Values = readonly (readonly [name: string, value: string])[];

export interface Format {
  /** A file with these records; each gets a title in addition. */
  readonly file: (records: Iterable<Values>) => string | Buffer;
  /**
   * The refusals or remarks if a limit is exceeded: records, names, values of a record, characters of a value,
   * levels.
   */
  readonly beyond: {
    readonly records: string;
    readonly names: string | null;
    readonly values: string | null;
    readonly length: string;
    readonly levels: readonly [file: () => string | Buffer, said: string] | null;
  };
  readonly maxRecords?: number;
  /** A zip with a hundred megabytes of this format. */
  readonly unpacked?: () => Buffer;
}

const CODE = '9782070360024';
const XML = '<?xml version="1.0"?>';
const each = <T>(list: Iterable<T>, one: (value: T, at: number) => string): string =>
  Array.from(list, one).join('');

const XML_BOUNDS = {
  records: 'lignesDeTrop',
  names: 'colonnesDeTrop',
  values: 'xmlTropPlein',
  length: 'texteCoupe',
};

/** A zip with the part that the reader needs, and a hundred megabytes beside it. */
const bomb = (name: string, content: string | Buffer): Buffer =>
  zipOf([
    { name, content: Buffer.from(content) },
    { name: 'other.xml', content: Buffer.alloc(101_000_000, ' ') },
  ]);

const deep = (open: string, close: string, levels = 500): string =>
  open.repeat(levels) + close.repeat(levels);

const gcstar = (inner: string): string => `${XML}<collection type="GCbooks">${inner}</collection>`;
const tellico = (inner: string): string =>
  `${XML}<tellico syntaxVersion="11"><collection type="2">${inner}</collection></tellico>`;
const delicious = (inner: string): string => `${XML}<library><items>${inner}</items></library>`;
const plist = (inner: string): string =>
  `${XML}<plist version="1.0"><array>${inner}</array></plist>`;
const marcXml = (inner: string): string =>
  `${XML}<collection xmlns="http://www.loc.gov/MARC21/slim">${inner}</collection>`;
const yaml = (values: Values): string =>
  `--- !ruby/object:Alexandria::Book\ntitle: A\n${each(values, ([name, value]) => `${name}: ${value}\n`)}`;

const NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A workbook with a column per name. */
function workbook(records: Iterable<Values>): Buffer {
  const all = [...records];
  const names = [...new Set(all.flatMap((values) => values.map(([name]) => name)))];
  const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const row = (cells: readonly string[]): string => `<row>${each(cells, cell)}</row>`;
  const rows = all.map((values) => {
    const texts = new Map(values);
    return row(['A', ...names.map((name) => texts.get(name) ?? '')]);
  });
  const relation = (type: string, target: string): string =>
    `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${RELATIONS}/${type}" Target="${target}"/></Relationships>`;
  const files = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook ${NS} xmlns:r="${RELATIONS}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet ${NS}><sheetData>${row(['Titre', ...names])}${rows.join('')}</sheetData></worksheet>`,
  };
  return zipOf(Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) })));
}

/** A LibreOffice sheet with a column per name. */
function openDocument(records: Iterable<Values>): Buffer {
  const all = [...records];
  const names = [...new Set(all.flatMap((values) => values.map(([name]) => name)))];
  const cell = (text: string): string =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
  const row = (cells: readonly string[]): string =>
    `<table:table-row>${each(cells, cell)}</table:table-row>`;
  const rows = all.map((values) => {
    const texts = new Map(values);
    return row(['A', ...names.map((name) => texts.get(name) ?? '')]);
  });
  const spaces = ['office', 'table', 'text']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ');
  const content = `${XML}<office:document-content ${spaces}><office:body><office:spreadsheet><table:table table:name="A">${row(['Titre', ...names])}${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`;
  const files = {
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': content,
  };
  return zipOf(Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) })));
}

/** An ISO 2709 record with one field per value, all with the same tag. */
function iso2709(values: Values): string {
  const fields = [['245', 'A'] as const, ...values.map(([, value]) => ['500', value] as const)].map(
    ([tag, value]) => [tag, `  \u001fa${value}\u001e`] as const,
  );
  let from = 0;
  const entries = each(fields, ([tag, { length }]) => {
    const entry = `${tag}${String(length % 10_000).padStart(4, '0')}${String(from % 100_000).padStart(5, '0')}`;
    from += length;
    return entry;
  });
  const base = String((25 + entries.length) % 100_000).padStart(5, '0');
  return `00000nam a22${base} a 4500${entries}\u001e${each(fields, ([, text]) => text)}\u001d`;
}

/** The formats by name; of the programs' tables there is one, `table`. */
export const FORMATS: Readonly<Record<string, Format>> = {
  table: {
    file(records) {
      const all = [...records];
      const names = [...new Set(all.flatMap((values) => values.map(([name]) => name)))];
      const line = (values: Values): string => {
        const texts = new Map(values);
        return `A,B${each(names, (name) => `,${texts.get(name) ?? ''}`)}\n`;
      };
      return `Titre,Auteur${each(names, (name) => `,${name}`)}\n${each(all, line)}`;
    },
    beyond: {
      records: 'lignesDeTrop',
      names: 'colonnesDeTrop',
      values: null,
      length: 'ligneTropLongue',
      levels: null,
    },
  },
  tableur: {
    file: workbook,
    beyond: {
      records: 'lignesDeTrop',
      names: 'colonnesDeTrop',
      values: null,
      length: 'ligneTropLongue',
      levels: null,
    },
    unpacked: () => bomb('xl/workbook.xml', '<workbook/>'),
  },
  // A second kind of `tableur`.
  ods: {
    file: openDocument,
    beyond: {
      records: 'lignesDeTrop',
      names: 'colonnesDeTrop',
      values: null,
      length: 'ligneTropLongue',
      levels: null,
    },
  },
  isbn: {
    file: (records) =>
      each(records, (values) => {
        const more = each(values, ([, { length }]) =>
          length > 10 ? ' '.repeat(length) : `,${CODE}`,
        );
        return `${CODE}${more}\n`;
      }),
    beyond: {
      records: 'lignesDeTrop',
      names: null,
      values: 'ligneTropLongue',
      length: 'ligneDeListeTropLongue',
      levels: null,
    },
  },
  ris: {
    file: (records) =>
      each(
        records,
        (values) =>
          `TY  - BOOK\nTI  - A\n${each(values, ([, value]) => `N1  - ${value}\n`)}ER  - \n`,
      ),
    beyond: {
      records: 'lignesDeTrop',
      // Tags have two characters, so there are too few for the limit.
      names: null,
      values: 'ficheTropPleine',
      length: 'texteCoupe',
      levels: null,
    },
  },
  bibtex: {
    file: (records) =>
      each(
        records,
        (values, at) =>
          `@book{k${at}, title = {A}${each(values, ([name, value]) => `, ${name} = {${value}}`)}}\n`,
      ),
    beyond: {
      records: 'lignesDeTrop',
      names: 'colonnesDeTrop',
      values: 'ficheNonLue',
      length: 'ficheNonLue',
      levels: [() => `@book{k, title = {${deep('{', '}', 40_000)}}}\n`, 'ficheNonLue'],
    },
    maxRecords: 30_000,
  },
  csljson: {
    file: (records) =>
      `[${Array.from(records, (values) => {
        const byName = Map.groupBy(values, ([name]) => name);
        const texts = each(
          byName,
          ([name, all]) => `,"${name}":${JSON.stringify(all.map(([, value]) => value))}`,
        );
        return `{"type":"book","id":"1","title":"A"${texts}}`;
      }).join(',')}]`,
    beyond: {
      records: 'lignesDeTrop',
      names: 'colonnesDeTrop',
      values: 'ficheTropPleine',
      length: 'texteCoupe',
      levels: [
        () => `[{"type":"book","id":"1","title":${deep('[', ']', 100_000)}}]`,
        'ficheTropPleine',
      ],
    },
  },
  librarything: {
    file: (records) =>
      `{${Array.from(records, (values, at) => {
        const byName = Map.groupBy(values, ([name]) => name);
        const texts = each(
          byName,
          ([name, all]) => `,"${name}":${JSON.stringify(all.map(([, value]) => value))}`,
        );
        return `"${at}":{"title":"A","primaryauthor":"B"${texts}}`;
      }).join(',')}}`,
    beyond: {
      records: 'lignesDeTrop',
      names: 'colonnesDeTrop',
      values: 'texteCoupe',
      length: 'texteCoupe',
      levels: null,
    },
  },
  gcstar: {
    file: (records) =>
      gcstar(
        each(
          records,
          (values) =>
            `<item title="A">${each(values, ([name, value]) => `<${name}>${value}</${name}>`)}</item>`,
        ),
      ),
    beyond: {
      ...XML_BOUNDS,
      levels: [() => gcstar(`<item>${deep('<a>', '</a>')}</item>`), 'xmlTropPlein'],
    },
    unpacked: () => bomb('a.gcs', gcstar('<item title="A"/>')),
  },
  tellico: {
    file: (records) =>
      tellico(
        each(
          records,
          (values) =>
            `<entry><title>A</title>${each(values, ([name, value]) => `<${name}>${value}</${name}>`)}</entry>`,
        ),
      ),
    beyond: {
      ...XML_BOUNDS,
      levels: [() => tellico(`<entry>${deep('<a>', '</a>')}</entry>`), 'xmlTropPlein'],
    },
    unpacked: () => bomb('tellico.xml', tellico('<entry><title>A</title></entry>')),
  },
  delicious: {
    file: (records) =>
      delicious(
        each(
          records,
          (values) =>
            `<book uuid="a" title="A">${each(values, ([name, value]) => `<${name}>${value}</${name}>`)}</book>`,
        ),
      ),
    beyond: {
      ...XML_BOUNDS,
      levels: [() => delicious(`<book uuid="a">${deep('<a>', '</a>')}</book>`), 'xmlTropPlein'],
    },
  },
  bookpedia: {
    file: (records) =>
      plist(
        each(
          records,
          (values) =>
            `<dict><key>title</key><string>A</string>${each(
              values,
              ([name, value]) => `<key>${name}</key><string>${value}</string>`,
            )}</dict>`,
        ),
      ),
    beyond: {
      ...XML_BOUNDS,
      levels: [
        () => plist(`<dict><key>title</key>${deep('<array>', '</array>')}</dict>`),
        'xmlTropPlein',
      ],
    },
  },
  marcxml: {
    file: (records) =>
      marcXml(
        each(
          records,
          (values) =>
            `<record><leader>00000nam a2200000 a 4500</leader>${each(
              [['245', 'A'], ...values.map(([, value]) => ['500', value])],
              ([tag = '', value = '']) =>
                `<${FIELD} tag="${tag}" ind1=" " ind2=" "><subfield code="a">${value}</subfield></${FIELD}>`,
            )}</record>`,
        ),
      ),
    beyond: {
      ...XML_BOUNDS,
      // The names of its details are ours.
      names: null,
      levels: [() => marcXml(`<record><leader/>${deep('<a>', '</a>')}</record>`), 'xmlTropPlein'],
    },
  },
  marc: {
    file: (records) => each(records, iso2709),
    beyond: {
      records: 'lignesDeTrop',
      names: null,
      // The directory reaches its maximum length before the values do.
      values: null,
      length: 'ficheTropPleine',
      levels: null,
    },
  },
  alexandria: {
    file: (records) =>
      zipOf(
        Array.from(records, (values, at) => ({
          name: `Livres/${at}.yaml`,
          content: Buffer.from(yaml(values)),
        })),
      ),
    beyond: {
      records: 'archiveTropDeFichiers',
      names: 'colonnesDeTrop',
      values: 'yamlTropLong',
      length: 'yamlTropLong',
      levels: [
        () =>
          zipOf([
            { name: 'Livres/1.yaml', content: Buffer.from(`title: ${deep('[', ']', 90_000)}\n`) },
            { name: 'Livres/2.yaml', content: Buffer.from('title: A\nisbn: x\n') },
          ]),
        'fichierNonLu',
      ],
    },
    maxRecords: 15_000,
    unpacked: () => bomb('Livres/1.yaml', yaml([])),
  },
  rayonnage: {
    file: (records) =>
      archiveOf({
        livres: Array.from(records, (values) => ({
          titre: 'A',
          details: values.map(([nom, valeur]) => ({ nom, valeur })),
        })),
      }),
    beyond: {
      records: 'fichesDeTrop',
      names: null,
      values: 'archiveAbimee',
      length: 'archiveAbimee',
      levels: null,
    },
    maxRecords: 200_000,
    unpacked: () =>
      zipOf([
        ...filesOf({ livres: [{ titre: 'A' }] }),
        { name: 'json/souhaits.json', content: Buffer.from('[]'), length: 600_000_000 },
      ]),
  },
};
