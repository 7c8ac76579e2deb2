import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import type { ExportNumero } from '#shared/export';
import type { NumeroIndex } from '#shared/numero-index';
import * as api from '#shared/numeros';
import { Numero, NumeroSaisi } from '#shared/numeros';
import { found, Refusal } from '#shared/refusals';
import {
  enteredCoverUrl,
  enteredFields,
  refusingUnder,
  requireFormat,
} from '#server/plumbing/common/entry';
import {
  documentProjection,
  insertRow,
  readDocument,
  updateRow,
  writeList,
  renewedLine,
  renewRows,
  refusingTwins,
  asText,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import type { RecordKind, Restore } from '#server/plumbing/records/kind';
import { COVER } from '#server/subjects/couvertures/cover-store';
import { type LiveNumeroIndex, findOrCreateRevue, readRevue } from './revues.ts';
import {
  deleteUnusedThemes,
  themeIdsOf,
  renormaliserThemes,
  themeRules,
  themesOf,
  writeThemes,
} from '#server/subjects/themes';

const projection = documentProjection('Numero', Numero, {
  themes: themesOf('numeros'),
  articles: `(SELECT json_group_array(${asText('a.titre')} ORDER BY a.position)
    FROM Article a WHERE a.numeroId = d.id)`,
  couverture: COVER,
});

const readNumero = (database: Reader, id: number): Numero | undefined =>
  readDocument(database, projection, 'WHERE d.id = ?', id);

const keysOf = ({ numero }: Pick<Numero, 'numero'>) => ({ numeroNormalise: api.numeroKey(numero) });

const numeroByKey = (
  database: Reader,
  revueId: number,
  numeroNormalise: string,
): Pick<Numero, 'id' | 'numero'> | undefined =>
  database.get<Pick<Numero, 'id' | 'numero'>>(
    'SELECT id, numero FROM Numero WHERE revueId = ? AND numeroNormalise = ?',
    revueId,
    numeroNormalise,
  );

/** Two issues of one number in an old export, from before numbers were compared by value, stay two. */
const restore: Restore<ExportNumero> = (tx, numeros, { idsOf, ownId }) => {
  const restored = new Set<number>();
  return numeros.flatMap(({ id: former, revueId: exported, couverture, ...saisie }) => {
    const revueId = idsOf('revues').get(exported);
    if (revueId === undefined) return [];
    const key = api.numeroKey(saisie.numero);
    const twin = numeroByKey(tx, revueId, key);
    if (twin !== undefined && !restored.has(twin.id)) return [];
    const own = twin === undefined ? {} : { numeroNormalise: `${key}\n${restored.size}` };
    const { id } = ajouterNumero(tx, revueId, saisie, { ...own, id: ownId('Numero', former) });
    restored.add(id);
    return { id, couverture };
  });
};

export const kind: RecordKind<'numeros'> = {
  projection,
  naming: {
    column: 'numero',
    subject: m.reason_sujet_numero,
    changed: m.reason_numero_modifie,
    deleted: m.reason_numero_supprime,
  },
  tables: {
    Numero: {
      derived: ['numeroNormalise'],
      notInHistory: ['couvertureCle'],
      reasons: {
        taken: () => m.reason_numero_de_nouveau(),
        added: () => m.reason_numero_ajoute(),
        gone: m.reason_numero_supprime,
      },
    },
    NumeroTheme: {
      partOf: ['numeroId', 'Numero'],
      list: { champ: 'themes', column: 'themeId', table: 'Theme', name: 'nom' },
      reasons: { added: () => m.reason_numero_modifie() },
    },
    Article: {
      partOf: ['numeroId', 'Numero'],
      list: { champ: 'articles', column: 'titre', name: 'titre' },
      reasons: { added: () => m.reason_numero_modifie() },
    },
    Theme: themeRules,
  },
  exports: {
    numeros: { projection, label: m.export_label_numeros, restore },
  },
  renormaliser(tx) {
    const areNumerosRenewed = renewRows<Numero & ReturnType<typeof keysOf>>(tx, 'Numero', (one) => {
      const numero = renewedLine(one.numero);
      return { numero, date: renewedLine(one.date), ...keysOf({ numero }) };
    });
    renewRows<{ id: number; titre: string }>(tx, 'Article', ({ titre }) => ({
      titre: renewedLine(titre),
    }));
    return renormaliserThemes(tx) && areNumerosRenewed;
  },
};

/** Drops blank themes and articles. Throws the refusal of a violated rule (docs/rules.md § 20, 21). */
function readEntry(saisie: NumeroSaisi) {
  const { themes, articles, ...fields } = enteredFields(NumeroSaisi, saisie);
  articles?.forEach((titre, index) => requireFormat('article-titre', titre, `articles.${index}`));
  if (fields.date !== null) requireFormat('numero-date', fields.date, 'date');
  return {
    numero: {
      ...fields,
      ...keysOf(fields),
      coverUrl: enteredCoverUrl(fields.coverUrl),
    },
    themes: (themes ?? []).filter((theme) => theme !== ''),
    articles: (articles ?? []).filter((titre) => titre !== ''),
  };
}

type NumeroEntry = ReturnType<typeof readEntry>;

const onceInRevue = <T>(
  tx: Transaction,
  revueId: number,
  { numero }: NumeroEntry,
  write: () => T,
): T =>
  refusingTwins(['Numero.revueId', 'Numero.numeroNormalise'], write, () => {
    const twin = numeroByKey(tx, revueId, numero.numeroNormalise);
    return twin && new Refusal('NUMERO_EXISTANT', { numero: twin });
  });

function writeLists(tx: Transaction, id: number, { themes, articles }: NumeroEntry): void {
  writeThemes(tx, 'numeros', id, themes);
  writeList(tx, { table: 'Article', record: 'numeroId', entry: 'titre' }, id, articles);
}

/**
 * Throws `NUMERO_EXISTANT` if the periodical has that number, `INTROUVABLE`.
 *
 * @param kept the key of an issue that stays beside another of its number, and its former id
 */
export function ajouterNumero(
  tx: Transaction,
  revueId: number,
  saisie: NumeroSaisi,
  kept: Partial<ReturnType<typeof keysOf>> & { readonly id?: number | null } = {},
): Numero {
  found(readRevue(tx, revueId));
  const entry = readEntry(saisie);
  const id = onceInRevue(tx, revueId, entry, () =>
    insertRow(tx, 'Numero', { ...entry.numero, ...kept, revueId }),
  );
  writeLists(tx, id, entry);
  return found(readNumero(tx, id));
}

/**
 * Rewrites an issue completely. A new address replaces a picture sent before issues only had addresses (docs/rules.md
 * § 43). Throws `NUMERO_EXISTANT` if the periodical has that number.
 */
function modifier(tx: Transaction, id: number, saisie: NumeroSaisi): Numero {
  const { revueId, coverUrl, numero } = found(readNumero(tx, id));
  const entry = readEntry(saisie);
  const { numeroNormalise, ...fields } = entry.numero;
  // An older issue with the number of another one can be edited without a new number.
  const keys = fields.numero === numero ? {} : { numeroNormalise };
  onceInRevue(tx, revueId, entry, () => updateRow(tx, 'Numero', id, { ...fields, ...keys }));
  const address = entry.numero.coverUrl;
  if (address !== null && address !== coverUrl)
    updateRow(tx, 'Numero', id, { couvertureCle: null });
  writeLists(tx, id, entry);
  return found(readNumero(tx, id));
}

/** Throws `INTROUVABLE`. */
function supprimer(tx: Transaction, id: number): void {
  const themes = themeIdsOf(tx, 'numeros', id);
  if (tx.run('DELETE FROM Numero WHERE id = ?', id).changes === 0) throw new Refusal('INTROUVABLE');
  deleteUnusedThemes(tx, themes);
}

const sortNextChunk = (index: NumeroIndex): boolean => index.sortNextChunk();

export function routes(
  app: FastifyInstance,
  { database, numeroIndex }: { readonly database: Reader; readonly numeroIndex: LiveNumeroIndex },
): void {
  mount(app, [
    read(api.rechercherNumeros, {
      may: 'household',
      run: ({ query }) => numeroIndex.read((index) => index.search(query), sortNextChunk),
    }),
    read(api.listerNumerosOfRevue, {
      may: 'household',
      run: ({ params }) =>
        numeroIndex.read((index) => {
          app.assert(readRevue(database, params.id), 404);
          return index.numerosOf(params.id);
        }, sortNextChunk),
    }),
    operation(api.ajouterNumero, {
      may: 'household',
      run: (tx, { params, body }) => answer(ajouterNumero(tx, params.id, body)),
    }),
    operation(api.ajouterRevueNumero, {
      may: 'household',
      run: (tx, { body }) => {
        const { revue } = refusingUnder('revue', () => findOrCreateRevue(tx, body.revue));
        return answer(refusingUnder('numero', () => ajouterNumero(tx, revue.id, body.numero)));
      },
    }),
    read(api.lireNumero, {
      may: 'household',
      run: ({ params }) => readNumero(database, params.id),
    }),
    operation(api.modifierNumero, {
      may: 'household',
      run: (tx, { params, body }) => answer(modifier(tx, params.id, body)),
    }),
    operation(api.supprimerNumero, {
      may: 'household',
      run: (tx, { params }) => {
        supprimer(tx, params.id);
        return answer();
      },
    }),
  ]);
}
