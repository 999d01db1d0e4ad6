import { fileURLToPath } from 'node:url'
import { sharp } from '@nifty/service-kit/images/sharp'

/** Families in the order in which a letter is looked for, so that names in Arabic need no font of the machine. */
export const textFont = 'Inter, Noto Sans Arabic'
export const displayFont = 'Bricolage Grotesque, Noto Sans Arabic Bold'

const files = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/bricolage-grotesque/700Bold/BricolageGrotesque_700Bold.ttf',
  '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
  '@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf',
]

/**
 * Registers the fonts of share images in this process: a font is known to all later texts once one has named its file.
 */
export async function loadFonts() {
  for (const file of files) {
    const fontfile = fileURLToPath(import.meta.resolve(file))
    await sharp({ text: { text: 'x', fontfile } })
      .png()
      .toBuffer()
  }
}
