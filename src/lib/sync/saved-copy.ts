import { locale } from '../format/locale.ts';
import { base } from '../format/address.ts';
import { m } from '#messages';
import { archiveOfCopy } from './copy-archive.ts';
import { clock, device } from './this-device.ts';
import { ThumbnailStore } from './thumbnails/store.ts';
import { views } from './views.svelte.ts';

/** How long a browser may take to read the file after the press. */
const KEPT_MS = 600_000;

const explain = () =>
  `<!doctype html><html lang="${locale}"><meta charset="utf-8"><title>${m.save_copy()}</title>
<h1>Rayonnage</h1><p>${m.save_copy_text()}</p><p>${m.save_copy_lacks()}</p></html>\n`;

/** `rayonnage-copie-2026-11-29.zip`, in English `rayonnage-copy-…`. */
export const copyFileName = (): string =>
  `${m.save_copy_file({ day: new Date().toISOString().slice(0, 10) })}.zip`;

/** The archive of all that is on the screen of this device (docs/rules.md § 41); throws the reason of `signal`. */
export async function archiveOfScreen(
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const thumbnails = new ThumbnailStore(base);
  try {
    return await archiveOfCopy(views(), {
      utilisateur: device.status.reader ?? null,
      bibliotheque: device.status.bibliotheque,
      page: { name: m.export_page_file(), html: explain() },
      readThumbnail: (cle) => thumbnails.read(cle).catch(() => null),
      onProgress,
      pause: () => clock.pause(),
      signal,
    });
  } finally {
    await thumbnails.close();
  }
}

/** Downloads an archive. */
export function download(archive: Blob): void {
  const url = URL.createObjectURL(archive);
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: copyFileName() });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
