"""A caller's values become arrays that the library can take, or an exception whose sentence names shape or type."""
import numpy as np

FLOAT32 = np.dtype(np.float32)


def to_array(value, name):
    """Returns a view of an array, of a tensor with DLPack or of a buffer; never a copy."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(f"{name}: has masked elements, which stand for no number; filled() gives them one")
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "__dlpack__"):
        try:
            return np.from_dlpack(value)
        except (AttributeError, BufferError, KeyError, RuntimeError, TypeError, ValueError) as error:
            raise TypeError(f"{name}: numpy cannot look at this {type(value).__name__} ({error}){_advice(value)}") from None
    raise TypeError(f"{name}: is a {type(value).__name__}; numpy arrays and tensors with DLPack are understood")


def _advice(value):
    """Returns the words of PyTorch that make a tensor one that numpy can look at."""
    needs = ["detach()"] if getattr(value, "requires_grad", False) is True else []
    needs += ["cpu()"] if str(getattr(value, "device", "cpu")) != "cpu" else []
    needs += ["float()"] if str(getattr(value, "dtype", "")) == "torch.bfloat16" else []
    return "; it needs " + " and ".join(needs) if needs else ""


def checked(value, name, shape, dtype=FLOAT32):
    """Returns the array, if it has this type and this shape (None: any size)."""
    if value.__class__ is np.ndarray and value.dtype is dtype and value.shape == shape:
        return value
    array = value if value.__class__ is np.ndarray else to_array(value, name)
    if array.dtype != dtype:
        raise TypeError(f"{name}: is {array.dtype}, but must be {dtype}; convert it with astype(numpy.{dtype})")
    if array.ndim != len(shape) or any(w is not None and w != n for w, n in zip(shape, array.shape)):
        wanted = ", ".join("any" if w is None else str(w) for w in shape)
        raise ValueError(f"{name}: has shape {array.shape}, but must have ({wanted})")
    return array


def fill(target, value, name):
    """Copies a caller's values to a buffer of the same shape and type; None stands for zeros."""
    # The usual case takes no call besides the copy.
    if value.__class__ is np.ndarray and value.dtype is FLOAT32 and value.shape == target.shape:
        target[...] = value
    elif value is None:
        target.fill(0)
    else:
        target[...] = checked(value, name, target.shape, target.dtype)


def writable(value, name, shape):
    """Returns checked() of an array that is written; raises ValueError if it is read-only."""
    array = checked(value, name, shape)
    if not array.flags.writeable:
        hint = "" if array is value else f": numpy only reads a {type(value).__name__}; its numpy(), if it has one, can be written"
        raise ValueError(f"{name}: is read-only{hint}")
    return array


def no_pair(value, name):
    """Returns the exception for a value that is no state of an LSTM."""
    return TypeError(f"{name}: is a {type(value).__name__}, but must be the two arrays (h, c)")


def checked_lengths(value, steps, batch):
    """Returns the lengths of the rows as int32."""
    try:
        array = np.asarray(value) if isinstance(value, (list, tuple)) else to_array(value, "lengths")
    except ValueError:
        raise TypeError("lengths: are not one dim of integers") from None
    if isinstance(value, (list, tuple)) and not value:
        array = array.astype(np.int32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"lengths: are {array.dtype}, but must be integers")
    if array.shape != (batch,):
        raise ValueError(f"lengths: have shape {array.shape}, but must have ({batch},), one for each row")
    if array.size and (array.min() < 0 or array.max() > steps):
        raise ValueError(f"lengths: are {array.min()} to {array.max()}, but must be 0 to {steps}")
    return array.astype(np.int32)


def dense(array):
    """Returns the array itself if its rows lie as C has them and are aligned, else a copy that does."""
    flags = array.flags
    return array if flags.c_contiguous and flags.aligned else np.require(array, requirements=["C", "A"])
