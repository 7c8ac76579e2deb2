/** The longest side of what a reader is given, in pixels: more is slower, and finds no more. */
const COTE_VIDEO = 1024;
const COTE_PHOTO = 2048;

interface Zone {
  readonly x: number;
  readonly y: number;
  readonly largeur: number;
  readonly hauteur: number;
}

/** Puts what the screen shows of the video into the canvas: a code beside it is not aimed at. */
export function dessinerVideo(video: HTMLVideoElement, toile: HTMLCanvasElement): void {
  dessiner(video, zoneVisible(video), COTE_VIDEO, toile);
}

/** A picture as a canvas; rejects where the browser cannot read that kind. */
export async function dessinerPhoto(fichier: Blob): Promise<HTMLCanvasElement> {
  const photo = await createImageBitmap(fichier);
  const toile = document.createElement('canvas');
  const entiere = { x: 0, y: 0, largeur: photo.width, hauteur: photo.height };
  dessiner(photo, entiere, COTE_PHOTO, toile);
  photo.close();
  return toile;
}

/** The part of the video that `object-fit: cover` leaves in sight, in its own pixels. */
function zoneVisible(video: HTMLVideoElement): Zone {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video;
  const echelle = Math.max(clientWidth / videoWidth, clientHeight / videoHeight);
  const largeur = Math.min(videoWidth, clientWidth / echelle);
  const hauteur = Math.min(videoHeight, clientHeight / echelle);
  return { x: (videoWidth - largeur) / 2, y: (videoHeight - hauteur) / 2, largeur, hauteur };
}

function dessiner(
  source: CanvasImageSource,
  { x, y, largeur, hauteur }: Zone,
  cote: number,
  toile: HTMLCanvasElement,
): void {
  const reduction = Math.min(1, cote / Math.max(largeur, hauteur));
  toile.width = Math.round(largeur * reduction);
  toile.height = Math.round(hauteur * reduction);
  toile
    .getContext('2d', { willReadFrequently: true })
    ?.drawImage(source, x, y, largeur, hauteur, 0, 0, toile.width, toile.height);
}
