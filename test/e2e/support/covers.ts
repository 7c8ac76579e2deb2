import type { Locator, Page } from 'playwright';
import sharp from 'sharp';

/** A picture of one colour, in the format of a phone's camera. */
export const photo = (background: string, width = 400, height = 600): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** True if a picture covers the placeholder. */
export const hasCover = (place: Locator): Promise<boolean> =>
  place
    .locator('.cover img')
    .evaluateAll((images) =>
      images.some(
        (image) =>
          image instanceof HTMLImageElement &&
          image.naturalWidth > 0 &&
          image.closest('[hidden]') === null,
      ),
    );

/** The covers' entry in « État de la copie ». */
export const coversState = (page: Page): Locator =>
  page
    .getByRole('region', { name: 'État de la copie' })
    .locator('dl > div')
    .filter({ has: page.getByText('Couvertures', { exact: true }) })
    .getByRole('definition');

/** The sheet with the actions on the shown book's cover. */
export const coverSheet = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Changer la couverture' });

/** Opens the cover sheet, unless it is open. */
export async function openCover(page: Page): Promise<void> {
  const cover = page.getByRole('button', { name: 'Changer la couverture' });
  await cover.waitFor();
  if (!(await coverSheet(page).isVisible())) await cover.click();
  await coverSheet(page).waitFor();
}

/** Uploads a picture as the shown book's cover. */
export async function photograph(page: Page, image: Buffer): Promise<void> {
  await openCover(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Photographier la couverture' }).click();
  const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: image };
  await (await chooser).setFiles(file);
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  await coverSheet(page).waitFor({ state: 'detached' });
}

/** Pastes a picture into an element, or drops it there. */
export const insertPicture = (
  place: Locator,
  way: 'paste' | 'drop',
  image: Buffer,
): Promise<void> =>
  place.evaluate(
    (element, { type, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], 'photo.jpg', { type: 'image/jpeg' }));
      const event = new Event(type, { bubbles: true, cancelable: true });
      // Firefox ignores the picture in the event's constructor.
      Object.assign(event, { clipboardData: transfer, dataTransfer: transfer });
      element.dispatchEvent(event);
    },
    { type: way, base64: image.toString('base64') },
  );
