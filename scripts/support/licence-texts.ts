import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Material } from './bill.ts';

/** Texts that packages refer to without including them. */
const REFERRED = 'deploy/licences/*.txt';

const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN
AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
PERFORMANCE OF THIS SOFTWARE.`;

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const HEAD = `Rayonnage itself is under the GNU Affero General Public License, version 3 or later (LICENSE).
This is what the archive holds of others, each with the text of its licence; sbom.json lists the same for programs.
libvips and what it brings lie in node_modules/@img as a shared library of their own, which may be replaced by a
changed one; how it is built from its sources is told at https://github.com/lovell/sharp-libvips.
`;

/**
 * The licence texts of everything in an archive, each once with all its packages; then packages with a named licence
 * only.
 *
 * @throws Error for a package without a text whose licence is neither MIT's nor ISC's
 */
export function licencesOf(materials: readonly Material[]): string {
  const byText = new Map<string, string[]>();
  for (const material of materials) {
    const title = `${titleOf(material)}${(material.inside ?? []).map((one) => `\n  with ${titleOf(one)}`).join('')}`;
    const text = textOf(material);
    byText.set(text, [...(byText.get(text) ?? []), title]);
  }
  for (const file of globSync(REFERRED).sort())
    byText.set(readFileSync(file, 'utf8').trimEnd(), [basename(file, '.txt')]);
  const parts = [...byText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`);
  return [HEAD, ...parts].join(`\n${'='.repeat(80)}\n\n`);
}

const titleOf = ({ name, version, licence }: Material): string =>
  `${name} ${version}${licence === undefined ? '' : ` (${licence})`}`;

function textOf({ name, licence, author, texts = [] }: Material): string {
  if (texts.length > 0) return texts.join('\n\n');
  const text = licence === 'MIT' ? MIT : licence === 'ISC' ? ISC : undefined;
  if (text === undefined || author === undefined)
    throw new Error(`${name} brings no text of its licence.`);
  return `Copyright (c) ${author}\n\n${text}`;
}
