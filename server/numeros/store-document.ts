import type { Numero } from '#shared/numeros';

/** An issue as SQL gives it, its lists as JSON texts in their order. */
export type LigneNumero = Omit<Numero, 'themes' | 'articles'> & {
  readonly themes: string;
  readonly articles: string;
};

/** The columns, besides its id, of an issue `d`. */
export const COLONNES_NUMERO = `d.revueId, d.numero, d.date, d.coverUrl, d.une, d.resume,
  (SELECT json_group_array(t.nom ORDER BY nt.position)
   FROM NumeroTheme nt JOIN Theme t ON t.id = nt.themeId
   WHERE nt.numeroId = d.id) AS themes,
  (SELECT json_group_array(a.titre ORDER BY a.position)
   FROM Article a WHERE a.numeroId = d.id) AS articles`;

export const enNumero = (ligne: LigneNumero): Numero => ({
  id: ligne.id,
  revueId: ligne.revueId,
  numero: ligne.numero,
  date: ligne.date,
  coverUrl: ligne.coverUrl,
  une: ligne.une,
  resume: ligne.resume,
  themes: textesDans(ligne.themes),
  articles: textesDans(ligne.articles),
});

// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- it is what the columns above have just made
const textesDans = (json: string) => JSON.parse(json) as string[];
