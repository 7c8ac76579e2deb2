/** Why there is no camera to look through. */
export type PanneCamera = 'refusee' | 'absente' | 'occupee' | 'nonSure' | 'interrompue';

/** A camera that cannot be had, with its reason. */
export class CameraIndisponible extends Error {
  readonly panne: PanneCamera;

  constructor(panne: PanneCamera) {
    super(panne);
    this.panne = panne;
  }
}

const PANNES: Readonly<Record<string, PanneCamera>> = {
  NotAllowedError: 'refusee',
  SecurityError: 'refusee',
  NotFoundError: 'absente',
  OverconstrainedError: 'absente',
  NotReadableError: 'occupee',
  AbortError: 'occupee',
};

/**
 * The camera at the back of the device, running until the signal is aborted. Throws
 * `CameraIndisponible`.
 */
export async function ouvrirCamera(signal: AbortSignal): Promise<MediaStream> {
  const flux = await demander();
  const arreter = () => {
    for (const piste of flux.getTracks()) piste.stop();
  };
  if (signal.aborted) arreter();
  else signal.addEventListener('abort', arreter, { once: true });
  signal.throwIfAborted();
  return flux;
}

async function demander(): Promise<MediaStream> {
  if (!isSecureContext || !('mediaDevices' in navigator)) throw new CameraIndisponible('nonSure');
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: {
        facingMode: { ideal: 'environment' },
        width: { ideal: 1280 },
        height: { ideal: 720 },
      },
    });
  } catch (erreur) {
    const nom = erreur instanceof DOMException ? erreur.name : '';
    throw new CameraIndisponible(PANNES[nom] ?? 'interrompue');
  }
}
