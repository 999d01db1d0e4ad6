// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Batch} from "./Batch.sol";
import {HourlyLimit} from "./HourlyLimit.sol";
import {IERC4494} from "./IERC4494.sol";
import {Signers} from "./Signers.sol";

/**
 * @title Nifty collection
 * @notice The works minted in a store, under the name and symbol of its deployer: ERC-721 with ERC-2981 royalties and
 * ERC-4494 permits. With a permit an owner allows a delivery by signature, without gas.
 * @dev Tokens cannot be burnt, and the store cannot move a token that is not approved to it: a token in a wallet needs
 * the signature or the transaction of that wallet.
 */
contract NiftyCollection is ERC721, ERC2981, EIP712, Signers, HourlyLimit, Batch, IERC4494 {
    /// @param mintId idempotency key of the mint, not zero
    /// @param to the wallet, or the delivery contract for custody
    /// @param account custody account, passed to the receiver hook of the delivery contract; zero for a wallet
    /// @param royaltyReceiver receiver of the royalty (ERC-2981)
    /// @param royaltyBps royalty in hundredths of a percent, at most MAX_ROYALTY_BPS; zero for none
    /// @param imageSha256 SHA-256 of the master file of the work
    /// @param name name of the work
    struct MintOrder {
        bytes32 mintId;
        address to;
        bytes32 account;
        address royaltyReceiver;
        uint96 royaltyBps;
        bytes32 imageSha256;
        string name;
    }

    /// @notice Maximum royalty, in hundredths of a percent.
    uint96 public constant MAX_ROYALTY_BPS = 5_000;

    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)");

    bytes4 private constant ERC4906_INTERFACE = 0x49064906;

    /// @notice The token of a mint id; zero before the mint. A mint id is an idempotency key: a repeated mint, by a
    /// restarted or a second service, reverts.
    mapping(bytes32 mintId => uint256 tokenId) public tokenOfMint;

    /// @notice Number of tokens. Token ids start at 1 and have no gaps.
    uint256 public totalMinted;

    mapping(uint256 tokenId => uint256) private _permitNonces;
    string private _baseUri;
    /// @notice Address of the metadata of the collection (ERC-7572).
    string public contractURI;

    /// @notice Commits to the work for ever: `imageSha256` is of its master file, which its owner can keep.
    event Minted(
        bytes32 indexed mintId, uint256 indexed tokenId, address indexed to, bytes32 imageSha256, string name
    );
    event MintRefused(bytes32 indexed mintId, bytes reason);
    event PermitsVoided(uint256 indexed tokenId, uint256 nonce);
    event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);
    event ContractURIUpdated();

    /// @notice The mint id is zero.
    error MintIdEmpty();
    error MintIdUsed(bytes32 mintId, uint256 tokenId);
    error RoyaltyTooHigh(uint96 royaltyBps);
    error PermitExpired(uint256 tokenId, uint256 deadline);
    /// @notice The owner has not signed for this spender, token, nonce, deadline, contract and chain. Every transfer
    /// increments the nonce and so invalidates earlier permits.
    error PermitInvalid(uint256 tokenId, address owner, uint256 nonce);
    error NotTokenOwner(uint256 tokenId, address caller, address owner);

    /// @param name name of the collection, also of its EIP-712 domain
    /// @param contractUri address of the metadata of the collection (ERC-7572)
    constructor(
        address owner,
        address[] memory signers,
        uint64 mintsPerHour,
        string memory name,
        string memory symbol,
        string memory baseUri,
        string memory contractUri
    ) ERC721(name, symbol) EIP712(name, "1") Signers(owner, signers) HourlyLimit(mintsPerHour) {
        _baseUri = baseUri;
        contractURI = contractUri;
    }

    /// @notice Mints one token. A recipient that is a contract must accept it (receiver hook).
    function mint(MintOrder calldata order) external onlySigner returns (uint256 tokenId) {
        _count(1);
        return _mintOrder(order);
    }

    /// @notice Mints several tokens. An entry that reverts logs `MintRefused` and leaves its mint id unused; the others
    /// are minted. The hourly limit reverts the whole batch.
    function mintBatch(MintOrder[] calldata orders) external onlySigner {
        _count(orders.length);
        for (uint256 i = 0; i < orders.length; ++i) {
            (bool done, bytes memory reason) = _tryEntry(abi.encodeCall(this.mintEntry, (orders[i])));
            if (!done) emit MintRefused(orders[i].mintId, reason);
        }
    }

    /// @dev External, so that a revert undoes this entry only.
    function mintEntry(MintOrder calldata order) external onlyInBatch {
        _mintOrder(order);
    }

    /// @notice Changes the base of all token URIs, for a store that moves to another address. Emits the ERC-4906 event,
    /// upon which marketplaces refresh their metadata.
    function setBaseUri(string calldata baseUri) external onlyOwner {
        _baseUri = baseUri;
        emit BatchMetadataUpdate(1, totalMinted);
    }

    function setContractUri(string calldata contractUri) external onlyOwner {
        contractURI = contractUri;
        emit ContractURIUpdated();
    }

    /// @inheritdoc IERC4494
    /// @dev Anyone may submit the owner's signature; the approval is the one that the owner signed. Submitting does not
    /// consume the nonce, so that a front-run permit does not make the delivery fail.
    function permit(address spender, uint256 tokenId, uint256 deadline, bytes memory sig) external {
        if (block.timestamp > deadline) revert PermitExpired(tokenId, deadline);

        address owner = _requireOwned(tokenId);
        uint256 nonce = _permitNonces[tokenId];
        bytes32 digest = _hashTypedDataV4(keccak256(abi.encode(PERMIT_TYPEHASH, spender, tokenId, nonce, deadline)));
        if (!SignatureChecker.isValidSignatureNow(owner, digest, sig)) revert PermitInvalid(tokenId, owner, nonce);

        _approve(spender, tokenId, address(0));
    }

    /// @notice Invalidates all permits of a token and removes its approval, without a transfer. Only for its owner.
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
        if (order.royaltyBps > MAX_ROYALTY_BPS) revert RoyaltyTooHigh(order.royaltyBps);

        // All state is written before the receiver hook runs, so that a re-entrant mint of the same id reverts.
        tokenId = ++totalMinted;
        tokenOfMint[order.mintId] = tokenId;
        if (order.royaltyBps != 0) _setTokenRoyalty(tokenId, order.royaltyReceiver, order.royaltyBps);
        emit Minted(order.mintId, tokenId, order.to, order.imageSha256, order.name);
        _safeMint(order.to, tokenId, order.account == 0 ? bytes("") : abi.encode(order.account));
    }

    /// @dev Every transfer invalidates the permits of the previous holder.
    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        if (from != address(0)) ++_permitNonces[tokenId];
    }

    /// @dev A token is minted.
    function _isInUse() internal view override returns (bool) {
        return totalMinted != 0;
    }

    function _baseURI() internal view override returns (string memory) {
        return _baseUri;
    }
}
