import { exporterBibtex, exporterRis } from '#shared/export';
import type { ExportedText } from '#server/plumbing/records/kind';
import { livreText, type LivreLine } from './lines.ts';

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

/** A text in which LaTeX sees no command. */
const latex = (text: string): string =>
  text.replace(/[\\~^{}$&#%_]/g, (character) => LATEX[character] ?? `\\${character}`);

/** A name that holds « and » or a comma would be taken apart: braces keep it whole. */
const bibtexNom = (nom: string): string =>
  /\band\b|,/i.test(nom) ? `{${latex(nom)}}` : latex(nom);

function bibtexEntry({ id, titre, auteurs, editeur, annee, isbn, nombrePages, tome }: LivreLine) {
  const fields: [name: string, value: string | number | null][] = [
    ['title', latex(titre)],
    ['author', auteurs.map(({ nom }) => bibtexNom(nom)).join(' and ') || null],
    ['publisher', editeur === null ? null : latex(editeur)],
    ['year', annee],
    ['isbn', isbn],
    ['pagetotal', nombrePages],
    ['series', tome === null ? null : latex(tome.serie)],
    ['number', tome?.numero ? latex(tome.numero) : null],
  ];
  const lines = fields
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `  ${name} = {${value ?? ''}},\n`);
  return `@book{livre${id},\n${lines.join('')}}\n\n`;
}

function risEntry({ titre, auteurs, editeur, annee, isbn, nombrePages, tome }: LivreLine): string {
  const tags: [tag: string, value: string | number | null][] = [
    ['TY', 'BOOK'],
    ['TI', titre],
    ...auteurs.map(({ nom }): [string, string] => ['AU', nom]),
    ['PB', editeur],
    ['PY', annee],
    ['SN', isbn],
    ['SP', nombrePages],
    ['T2', tome?.serie ?? null],
    ['VL', tome?.numero ?? null],
    ['ER', ''],
  ];
  return tags
    .filter(([, value]) => value !== null)
    .map(([tag, value]) => `${tag}  - ${value ?? ''}\r\n`)
    .join('');
}

/** Every book in BibTeX. */
export const bibtex: ExportedText = {
  endpoint: exporterBibtex,
  name: 'livres.bib',
  label: 'les mêmes, pour une bibliographie en BibTeX',
  format: livreText((lines) => lines.map(bibtexEntry).join('')),
};

export const ris: ExportedText = {
  endpoint: exporterRis,
  name: 'livres.ris',
  label: 'les mêmes, pour une bibliographie en RIS',
  format: livreText((lines) => lines.map(risEntry).join('')),
};
