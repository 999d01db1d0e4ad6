// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {Signers} from "./Signers.sol";

/**
 * @title Custody
 * @notice Holds tokens of accepted collections for custody accounts, and hands them over to a successor contract.
 * @dev Custody accounts are opaque 32-byte ids. Each token in custody has exactly one beneficiary.
 */
abstract contract Custody is Signers, IERC721Receiver {
    /// @notice The contract that this one takes the custody over from; zero for the first one.
    address public immutable predecessor;

    mapping(address token => bool) public isCollection;
    /// @dev Every collection that was ever accepted: also a dropped one may have tokens in custody.
    address[] private _collections;
    /// @notice The custody account of a token; zero when the token is not in custody.
    mapping(address token => mapping(uint256 id => bytes32 account)) public beneficiaryOf;

    /// @notice The contract that takes the custody over; zero while no hand-over is announced.
    address public successor;
    /// @notice From when on tokens may be handed over, in seconds since 1970.
    uint256 public handOverFrom;

    event CustodyIn(address indexed token, uint256 indexed id, bytes32 indexed account, address from);
    event CustodyOut(address indexed token, uint256 indexed id, bytes32 indexed account, address to);
    event BeneficiaryChanged(
        address indexed token, uint256 indexed id, bytes32 indexed account, bytes32 previous, bytes32 lineId
    );
    event CollectionAccepted(address indexed token);
    event CollectionDropped(address indexed token);
    event HandOverAnnounced(address indexed successor, uint256 from);
    event HandOverCancelled(address indexed successor);

    /// @notice The owner has not accepted this collection, or has dropped it: a foreign contract may return any data.
    error CollectionNotAccepted(address token);
    error CollectionUnchanged(address token);
    error NotHolder(address token, uint256 id, address named, address holder);
    error NotBeneficiary(address token, uint256 id, bytes32 named, bytes32 account);
    /// @notice Holders cannot deposit: a stranger could bring tokens to any custody account.
    error DepositNotAllowed(address token, uint256 id, address operator);
    /// @notice A token in custody needs an account; otherwise it would have no beneficiary.
    error AccountMissing(address token, uint256 id);
    error AlreadyInCustody(address token, uint256 id, bytes32 account);
    /// @notice A successor is a contract other than this one.
    error SuccessorInvalid(address successor);
    /// @notice Another hand-over is announced: cancel it first.
    error HandOverPending(address successor);
    /// @notice No hand-over is announced (`from` is zero), or its delay has not passed.
    error HandOverNotDue(uint256 from);

    constructor(address[] memory collections, address predecessor_) {
        predecessor = predecessor_;
        for (uint256 i = 0; i < collections.length; ++i) {
            _acceptCollection(collections[i]);
        }
    }

    /// @notice Takes a token of an accepted collection into custody: by a safe mint, a delivery of this contract or a
    /// hand-over of its predecessor, whose data is the 32-byte custody account. Reverts otherwise, so that the token
    /// stays with its holder.
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4)
    {
        _checkCollection(msg.sender);
        if (from != address(0) && operator != address(this) && operator != predecessor) {
            revert DepositNotAllowed(msg.sender, id, operator);
        }
        if (data.length != 32) revert AccountMissing(msg.sender, id);
        _takeIn(msg.sender, id, bytes32(data), from);
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @notice Sets the beneficiary of a token that arrived by a plain `transferFrom`, which calls no receiver hook.
    function recordStranded(address token, uint256 id, bytes32 account) external onlyOwner {
        _checkCollection(token);
        _checkHolder(token, id, address(this));
        _takeIn(token, id, account, address(0));
    }

    function acceptCollection(address token) external onlyOwner {
        _acceptCollection(token);
    }

    /// @notice Stops taking in and delivering a collection. Its tokens in custody keep their beneficiaries and can be
    /// delivered after the collection is accepted again.
    function dropCollection(address token) external onlyOwner {
        if (!isCollection[token]) revert CollectionUnchanged(token);
        isCollection[token] = false;
        emit CollectionDropped(token);
    }

    /// @notice Announces the contract that takes the custody over, at the earliest after DELAY. Deliveries continue.
    function announceHandOver(address to) external onlyOwner {
        if (successor != address(0)) revert HandOverPending(successor);
        if (to == address(this) || to.code.length == 0) revert SuccessorInvalid(to);
        successor = to;
        handOverFrom = block.timestamp + DELAY;
        emit HandOverAnnounced(to, handOverFrom);
    }

    /// @notice Cancels the hand-over. Tokens that were handed over stay with the successor.
    function cancelHandOver() external onlyOwner {
        if (successor == address(0)) revert HandOverNotDue(0);
        emit HandOverCancelled(successor);
        (successor, handOverFrom) = (address(0), 0);
    }

    /// @notice Hands tokens over to the successor, with their custody accounts as the data that its receiver hook
    /// expects. A dropped collection can be handed over. Reverts as a whole when one of the tokens is not in custody.
    /// @dev The beneficiary is deleted before foreign code runs, so that no call from the hook can move the token.
    function handOver(address token, uint256[] calldata ids) external onlyOwner {
        if (successor == address(0) || block.timestamp < handOverFrom) revert HandOverNotDue(handOverFrom);
        for (uint256 i = 0; i < ids.length; ++i) {
            bytes32 account = beneficiaryOf[token][ids[i]];
            if (account == 0) revert AccountMissing(token, ids[i]);
            _release(token, ids[i], account, successor);
            IERC721(token).safeTransferFrom(address(this), successor, ids[i], abi.encode(account));
        }
    }

    function _takeIn(address token, uint256 id, bytes32 account, address from) private {
        if (account == 0) revert AccountMissing(token, id);
        bytes32 present = beneficiaryOf[token][id];
        if (present != 0) revert AlreadyInCustody(token, id, present);
        beneficiaryOf[token][id] = account;
        emit CustodyIn(token, id, account, from);
    }

    function _release(address token, uint256 id, bytes32 account, address to) internal {
        delete beneficiaryOf[token][id];
        emit CustodyOut(token, id, account, to);
    }

    function _changeBeneficiary(bytes32 lineId, address token, uint256 id, bytes32 previous, bytes32 account)
        internal
    {
        if (account == 0) revert AccountMissing(token, id);
        if (account == previous) revert AlreadyInCustody(token, id, account);
        beneficiaryOf[token][id] = account;
        emit BeneficiaryChanged(token, id, account, previous, lineId);
    }

    /// @dev Custody holds a token.
    function _isInUse() internal view override returns (bool) {
        for (uint256 i = 0; i < _collections.length; ++i) {
            if (IERC721(_collections[i]).balanceOf(address(this)) != 0) return true;
        }
        return false;
    }

    function _acceptCollection(address token) private {
        if (token.code.length == 0) revert CollectionNotAccepted(token);
        if (isCollection[token]) revert CollectionUnchanged(token);
        isCollection[token] = true;
        if (!_isKnown(token)) _collections.push(token);
        emit CollectionAccepted(token);
    }

    function _isKnown(address token) private view returns (bool) {
        for (uint256 i = 0; i < _collections.length; ++i) {
            if (_collections[i] == token) return true;
        }
        return false;
    }

    function _checkCollection(address token) internal view {
        if (!isCollection[token]) revert CollectionNotAccepted(token);
    }

    function _checkHolder(address token, uint256 id, address named) internal view {
        address holder = IERC721(token).ownerOf(id);
        if (holder != named) revert NotHolder(token, id, named, holder);
    }

    /// @dev Zero is not an account: it never matches a token that is not in custody.
    function _checkBeneficiary(address token, uint256 id, bytes32 named) internal view {
        bytes32 account = beneficiaryOf[token][id];
        if (account == 0 || account != named) revert NotBeneficiary(token, id, named, account);
    }
}
