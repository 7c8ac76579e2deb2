/** The longest side of the picture to crop, in pixels: a canvas has at most 16 million pixels on iOS. */
const MAX_SIDE = 2_400;

/** In pixels: some 300 kB as a JPEG. */
export const MAX_HEIGHT = 1_800;

const QUALITY = 0.88;

/** An upright picture to crop, scaled down to a cover's size. */
export interface Picture {
  readonly canvas: HTMLCanvasElement;
  /** An address of the picture for an `img`, valid until `release` is called. */
  readonly url: string;
}

/** A part of a picture, in the picture's pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Decodes a file, turned upright by its EXIF data. Throws if the browser cannot decode it. */
export async function readPicture(file: Blob): Promise<Picture> {
  const url = URL.createObjectURL(file);
  try {
    // An `img` is turned upright in every browser, an ImageBitmap is not.
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
    const canvas = blank(width * scale, height * scale);
    contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
    return await pictureOf(canvas);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** An iPhone photograph, which few browsers decode; some only recognise it by its name. */
export const isHeic = ({ type, name }: File): boolean =>
  /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

/** The picture turned by a quarter: 1 to the right, -1 to the left. */
export async function turn({ canvas }: Picture, quarter: 1 | -1): Promise<Picture> {
  const turned = blank(canvas.height, canvas.width);
  const context = contextOf(turned);
  context.translate(turned.width / 2, turned.height / 2);
  context.rotate((quarter * Math.PI) / 2);
  context.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
  return pictureOf(turned);
}

/** A part of a picture as a JPEG, no larger than a cover needs to be. */
export function cut({ canvas }: Picture, { x, y, width, height }: Area): Promise<Blob> {
  const scale = Math.min(1, MAX_HEIGHT / height);
  const part = blank(width * scale, height * scale);
  contextOf(part).drawImage(canvas, x, y, width, height, 0, 0, part.width, part.height);
  return jpegOf(part);
}

export const release = ({ url }: Picture): void => URL.revokeObjectURL(url);

async function pictureOf(canvas: HTMLCanvasElement): Promise<Picture> {
  return { canvas, url: URL.createObjectURL(await jpegOf(canvas)) };
}

/** @param settings of its context: whether it is read part by part, which a graphics card is slow at */
export function blank(
  width: number,
  height: number,
  settings?: CanvasRenderingContext2DSettings,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = contextOf(canvas, settings);
  // A JPEG shows transparent pixels black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  return canvas;
}

export function contextOf(
  canvas: HTMLCanvasElement,
  settings?: CanvasRenderingContext2DSettings,
): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', settings);
  if (context === null) throw new Error('no canvas to draw on');
  return context;
}

export const jpegOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the canvas gave no picture')) : resolve(blob)),
      'image/jpeg',
      QUALITY,
    );
  });
