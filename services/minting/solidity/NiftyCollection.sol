// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Batch} from "./Batch.sol";
import {IERC4494} from "./IERC4494.sol";
import {Signers} from "./Signers.sol";

/**
 * @title The works minted in the Nifty store.
 * @notice ERC-721 with ERC-2981 royalties and ERC-4494 permits: a creator allows a sale by signing, without gas.
 * @dev There is no burn and no way for the store to move a token that is not approved to it: once a work is in
 * somebody's wallet, only that wallet's signature moves it.
 */
contract NiftyCollection is ERC721, ERC2981, EIP712, Signers, Batch, IERC4494 {
    /// @dev `account` is the custody account when `to` is the custody (handed to its receiver hook), else zero.
    struct MintOrder {
        bytes32 mintId;
        address to;
        bytes32 account;
        address royaltyReceiver;
        uint96 royaltyBps;
    }

    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)");

    bytes4 private constant ERC4906_INTERFACE = 0x49064906;

    /// @notice Which token a mint order became; zero means that it was never carried out. This is the idempotency
    /// key: a mint that is sent again, by a restarted or a second service, cannot make a second token.
    mapping(bytes32 mintId => uint256 tokenId) public tokenOfMint;

    /// @notice How many tokens there are; they are numbered from 1 without gaps.
    uint256 public totalMinted;

    mapping(uint256 tokenId => uint256) private _permitNonces;
    string private _baseUri;

    event Minted(bytes32 indexed mintId, uint256 indexed tokenId, address indexed to);
    event MintRefused(bytes32 indexed mintId, bytes reason);
    event PermitsVoided(uint256 indexed tokenId, uint256 nonce);
    event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);

    /// @notice Zero as a mint id is a forgotten argument, not a key.
    error MintIdEmpty();
    error MintIdUsed(bytes32 mintId, uint256 tokenId);
    error PermitExpired(uint256 tokenId, uint256 deadline);
    /// @notice Not signed by the owner for this spender, token, nonce, deadline, contract and chain. A permit that was
    /// right turns wrong when the token moves, because the nonce moves with it.
    error PermitInvalid(uint256 tokenId, address owner, uint256 nonce);
    error NotTokenOwner(uint256 tokenId, address caller, address owner);

    constructor(address owner, address signer, string memory baseUri)
        ERC721("Nifty", "NIFTY")
        EIP712("Nifty", "1")
        Signers(owner, signer)
    {
        _baseUri = baseUri;
    }

    /// @notice Mints one work. A recipient contract must accept it (receiver hook).
    function mint(MintOrder calldata order) external onlySigner returns (uint256 tokenId) {
        return _mintOrder(order);
    }

    /// @notice Mints many works. One that cannot be minted logs `MintRefused` and does not harm the others; its
    /// mint id stays unused.
    function mintBatch(MintOrder[] calldata orders) external onlySigner {
        for (uint256 i = 0; i < orders.length; ++i) {
            (bool done, bytes memory reason) = _tryEntry(abi.encodeCall(this.mintEntry, (orders[i])));
            if (!done) emit MintRefused(orders[i].mintId, reason);
        }
    }

    /// @dev External only so that a revert undoes this entry alone.
    function mintEntry(MintOrder calldata order) external onlyInBatch {
        _mintOrder(order);
    }

    /// @notice The base is not fixed, because the store's own address may change; the pictures' hashes are in the
    /// metadata. Marketplaces are told to read it again (ERC-4906).
    function setBaseUri(string calldata baseUri) external onlyOwner {
        _baseUri = baseUri;
        emit BatchMetadataUpdate(1, totalMinted);
    }

    /// @inheritdoc IERC4494
    /// @dev Anyone may hand in the owner's signature: doing so can only approve what the owner signed for. The nonce
    /// is not used up here, so that somebody who hands it in first cannot make the store's own delivery fail.
    function permit(address spender, uint256 tokenId, uint256 deadline, bytes memory sig) external {
        if (block.timestamp > deadline) revert PermitExpired(tokenId, deadline);

        address owner = _requireOwned(tokenId);
        uint256 nonce = _permitNonces[tokenId];
        bytes32 digest = _hashTypedDataV4(keccak256(abi.encode(PERMIT_TYPEHASH, spender, tokenId, nonce, deadline)));
        if (!SignatureChecker.isValidSignatureNow(owner, digest, sig)) revert PermitInvalid(tokenId, owner, nonce);

        _approve(spender, tokenId, address(0));
    }

    /// @notice An owner who changed their mind takes back every permit for a token, and the approval that one of them
    /// may already have become, without moving the token.
    function voidPermits(uint256 tokenId) external {
        address owner = _requireOwned(tokenId);
        if (msg.sender != owner) revert NotTokenOwner(tokenId, msg.sender, owner);
        uint256 nonce = ++_permitNonces[tokenId];
        _approve(address(0), tokenId, address(0));
        emit PermitsVoided(tokenId, nonce);
    }

    /// @inheritdoc IERC4494
    function nonces(uint256 tokenId) external view returns (uint256) {
        _requireOwned(tokenId);
        return _permitNonces[tokenId];
    }

    /// @inheritdoc IERC4494
    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC721, ERC2981, IERC165) returns (bool) {
        return interfaceId == type(IERC4494).interfaceId || interfaceId == ERC4906_INTERFACE
            || super.supportsInterface(interfaceId);
    }

    function _mintOrder(MintOrder calldata order) private returns (uint256 tokenId) {
        if (order.mintId == 0) revert MintIdEmpty();
        if (tokenOfMint[order.mintId] != 0) revert MintIdUsed(order.mintId, tokenOfMint[order.mintId]);

        // Everything is written before the recipient's hook runs, so that re-entering finds the order carried out.
        tokenId = ++totalMinted;
        tokenOfMint[order.mintId] = tokenId;
        if (order.royaltyBps != 0) _setTokenRoyalty(tokenId, order.royaltyReceiver, order.royaltyBps);
        emit Minted(order.mintId, tokenId, order.to);
        _safeMint(order.to, tokenId, order.account == 0 ? bytes("") : abi.encode(order.account));
    }

    /// @dev Every transfer voids the permits of the one who held the token.
    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        if (from != address(0)) ++_permitNonces[tokenId];
    }

    function _baseURI() internal view override returns (string memory) {
        return _baseUri;
    }
}
