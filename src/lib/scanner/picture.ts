/** The longest side of the picture that is decoded, in pixels: a larger one only costs time. */
const MAX_VIDEO_SIDE = 1024;
const MAX_PHOTO_SIDE = 2048;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Draws the visible part of the video: a code outside of it is not aimed at. */
export function drawVideo(video: HTMLVideoElement, canvas: HTMLCanvasElement): void {
  draw(video, visibleArea(video), MAX_VIDEO_SIDE, canvas);
}

/** A picture as a canvas; rejects where the browser cannot read its format. */
export async function drawPhoto(file: Blob): Promise<HTMLCanvasElement> {
  const photo = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  draw(photo, { x: 0, y: 0, width: photo.width, height: photo.height }, MAX_PHOTO_SIDE, canvas);
  photo.close();
  return canvas;
}

/** The part of the video that `object-fit: cover` shows, in the video's own pixels. */
function visibleArea(video: HTMLVideoElement): Area {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video;
  const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight);
  const width = Math.min(videoWidth, clientWidth / scale);
  const height = Math.min(videoHeight, clientHeight / scale);
  return { x: (videoWidth - width) / 2, y: (videoHeight - height) / 2, width, height };
}

function draw(
  source: CanvasImageSource,
  { x, y, width, height }: Area,
  maxSide: number,
  canvas: HTMLCanvasElement,
): void {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas
    .getContext('2d', { willReadFrequently: true })
    ?.drawImage(source, x, y, width, height, 0, 0, canvas.width, canvas.height);
}
