import { invalid } from './invalid.ts';
import { isExport, openExport } from './formats/rayonnage.ts';
import type { OpenedFile } from './opened-file.ts';

/** How binary files begin that people take for tables. */
const SIGNATURES: readonly (readonly [bytes: string, raison: string])[] = [
  ['\xd0\xcf\x11\xe0', 'C’est un classeur d’Excel : enregistrez-le en CSV.'],
  ['\x1f\x8b', 'C’est un fichier compressé : décompressez-le d’abord.'],
  ['%PDF', 'C’est un PDF : il faut un fichier CSV, TSV ou JSON.'],
  ['SQLite format 3', 'C’est une base de données : exportez-la en CSV.'],
];

/**
 * A household's own export, opened; `null` for a file that is no archive. Throws `FICHIER_INVALIDE` for
 * any other archive.
 */
export async function readArchive(bytes: Buffer): Promise<OpenedFile | null> {
  const head = bytes.subarray(0, 2048).toString('latin1');
  for (const [start, raison] of SIGNATURES) if (head.startsWith(start)) throw invalid(raison);
  if (!head.startsWith('PK\x03\x04')) return null;
  if (isExport(head)) return openExport(bytes);
  if (head.includes('manifest.json'))
    throw invalid(
      'C’est une sauvegarde : elle se remet en place dans une bibliothèque vide, ou sur le serveur par la commande « restore ».',
    );
  if (/\[Content_Types\]|xl\/|mimetype/.test(head))
    throw invalid('C’est un classeur de tableur : enregistrez-le en CSV.');
  throw invalid('C’est une archive zip, et pas un export de Rayonnage.');
}
