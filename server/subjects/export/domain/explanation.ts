import type { ExportHead } from '#shared/export';
import type { Records } from '#server/plumbing/records/records';

/** The page in an archive that says what is in it. */
export function explain(
  { date, utilisateur, counts }: ExportHead,
  { exportedFiles, exportedTexts }: Pick<Records, 'exportedFiles' | 'exportedTexts'>,
): string {
  const rows = Object.entries(counts).map(
    ([kind, count]) =>
      `<tr><td><code>json/${kind}.json</code></td><td>${count}</td><td>${exportedFiles.get(kind)?.label ?? ''}</td></tr>`,
  );
  const items = exportedTexts.map(({ name, label }) => `<li><code>${name}</code> : ${label}</li>`);
  const whose =
    utilisateur === null
      ? 'Seul ce qui est partagé s’y trouve : personne n’était identifié.'
      : `Ce qui est personnel est à ${escapeHtml(utilisateur)}, et à personne d’autre.`;
  return `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><title>Export de Rayonnage</title>
<style>body{font:1rem/1.5 sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}td{padding:.2rem .8rem .2rem 0;vertical-align:top}</style></head>
<body><h1>Export de Rayonnage</h1>
<p>Fait le <time datetime="${date}">${date.slice(0, 10)}</time>. ${whose}</p>
<h2>Pour un tableur ou un autre programme</h2>
<ul>
${items.join('\n')}
</ul>
<h2>Tout, sans perte</h2>
<p>Chaque fichier JSON a sa description à côté de lui, en JSON Schema
(<code>json/livres.schema.json</code>).</p>
<table>${rows.join('\n')}</table>
<p>Cette archive s’importe telle quelle dans Rayonnage, vide ou non : ce qui y est déjà n’est pas
ajouté deux fois. Les couvertures gardées sont dans <code>couvertures/</code>, nommées par leur empreinte SHA-256. L’historique des modifications et ce qui
est personnel aux autres n’y sont pas : c’est à une sauvegarde de les garder.</p>
</body></html>
`;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
