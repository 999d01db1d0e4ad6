import type { Entry } from '../../ui/accordion.tsx'

/** The four Q&A entries of the home page. */
export const questions: Entry[] = [
  {
    title: 'What is an NFT?',
    text: 'A non-fungible token is a certificate of ownership on a public blockchain. Each one is unique and points to one digital artwork, so everyone can check who owns it and where it came from.',
  },
  {
    title: 'Can I buy NFTs with my bank card?',
    text: 'Yes. You can buy NFTs with a bank card, in euros. No cryptocurrency is needed. Your card is only held at first; it is charged once the work has arrived in your wallet, and if it cannot arrive, the hold is released automatically.',
  },
  {
    title: 'What do I need before I can buy?',
    text: 'An account and a MetaMask wallet that is linked to it in your settings. The wallet is free, it is where the work is delivered to, and it needs no money in it.',
  },
  {
    title: 'How can I sell my NFTs?',
    text: 'Creators who work with us can set a price in euros and put their works on sale in one step. If you would like to sell, please contact us and we will get you started.',
  },
]
