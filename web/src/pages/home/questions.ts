import type { Entry } from '../../ui/accordion/accordion.tsx'

/** The four Q&A entries of the home page. */
export const questions: Entry[] = [
  {
    title: 'What is an NFT?',
    text: 'A non-fungible token is a certificate of ownership on a public blockchain. Each one is unique and points to one digital artwork, so everyone can check who owns it and where it came from.',
  },
  {
    title: 'Can I buy NFTs with my bank card?',
    text: 'Yes. You can buy NFTs with a bank card, in euros. No cryptocurrency is needed. Your card is only held at first; it is charged once the work has arrived, and if it cannot arrive, the hold is released automatically.',
  },
  {
    title: 'What do I need before I can buy?',
    text: 'An account. A work is delivered to the MetaMask wallet that you link in your settings, which is free and needs no money in it. Without a wallet we keep the work for you, free of charge, until you move it to one.',
  },
  {
    title: 'How can I sell my NFTs?',
    text: 'Creators who work with us can set a price in euros and put their works on sale in one step. If you would like to sell, please contact us and we will get you started.',
  },
]
